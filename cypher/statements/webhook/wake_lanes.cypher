// Goes through some of a webhook's lanes, in the order of their ids, and makes those due in which something rests or waits until later; what waits there
// begins anew. Those that somebody has are left alone: their dueAt is the end of a lease, and who has one looks at the webhook itself before he parks
// it (delivery/park). The first SET locks a lane, so that what is read then stays true.
// On Neo4j just those are read, out of the index on their ids; one on webhooks would have all of a webhook's lanes sorted each time.
// $after: the id of the lane that was looked at last, or what those of the webhook begin with, $end: what they all come before,
//   $now: epoch milliseconds, $most
// returns: seen, last (the id of the last of them)
MATCH (l:DeliveryLane)
WHERE l.id > $after AND l.id < $end
WITH l ORDER BY l.id LIMIT $most
SET l.claimant = 'waking'
WITH l
OPTIONAL MATCH (l)<-[:WAITS_IN]-(d:Delivery)
WITH l, count(d) AS waiting, collect(CASE WHEN d.failures > 0 THEN d ELSE null END) AS failed
FOREACH (_ IN CASE WHEN waiting > 0 AND coalesce(l.holder, '') = '' THEN [1] ELSE [] END | SET l.dueAt = $now)
FOREACH (delivery IN CASE WHEN coalesce(l.holder, '') = '' THEN failed ELSE [] END | SET delivery.failures = 0)
RETURN count(*) AS seen, max(l.id) AS last
