// Ends deliveries of a lane whose webhook was removed, some at a time.
// $laneId, $now: epoch milliseconds, $most
// returns: cancelled
MATCH (l:DeliveryLane {id: $laneId})<-[waits:WAITS_IN]-(d:Delivery)
WITH waits, d LIMIT $most
DELETE waits
SET d.state = 'CANCELLED', d.finishedAt = $now
RETURN count(*) AS cancelled
