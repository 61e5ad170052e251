// Lets go of lanes, of those that are still their holder's. With nothing left to deliver they are due no more; what has come meanwhile is looked for
// under the lane's lock.
// $rows: [{laneId, holder, dueAt (epoch milliseconds; null where nothing is left), now}]
// returns: nothing
UNWIND $rows AS row
MATCH (l:DeliveryLane {id: row.laneId})
SET l.claimant = row.holder
WITH l, row
WHERE l.holder = row.holder
OPTIONAL MATCH (l)<-[waits:WAITS_IN]-(d:Delivery)
WITH l, row, count(waits) AS waiting
SET l.holder = '', l.dueAt = CASE WHEN row.dueAt IS NULL AND waiting > 0 THEN row.now ELSE row.dueAt END
