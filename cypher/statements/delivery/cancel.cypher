// Ends deliveries of lanes whose webhooks were removed, some at a time.
// $ids, $now: epoch milliseconds, $most
// returns: cancelled
UNWIND $ids AS id
MATCH (l:DeliveryLane {id: id})<-[waits:WAITS_IN]-(d:Delivery)
WITH waits, d LIMIT $most
DELETE waits
SET d.state = 'CANCELLED', d.finishedAt = $now
RETURN count(*) AS cancelled
