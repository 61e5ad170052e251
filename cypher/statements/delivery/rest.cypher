// Lets go of lanes, of those that are still their holder's. With nothing left to deliver they are due no more.
// $rows: [{laneId, holder, dueAt (epoch milliseconds, or null)}]
// returns: nothing
UNWIND $rows AS row
MATCH (l:DeliveryLane {id: row.laneId})
SET l.claimant = row.holder
WITH l, row
WHERE l.holder = row.holder
SET l.dueAt = row.dueAt, l.holder = ''
