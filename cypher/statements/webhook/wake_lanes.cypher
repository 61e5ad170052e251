// Makes some of a webhook's lanes due in which something rests, or waits until later. Those that somebody has are left alone: their dueAt is the end of
// a lease, and who has one looks at the webhook itself before he parks it (delivery/park). The first SET locks a lane, so that what is read then stays true.
// $id, $now: epoch milliseconds, $most
// returns: woken
MATCH (l:DeliveryLane)
WHERE l.webhookId = $id AND coalesce(l.holder, '') = '' AND (l.dueAt IS NULL OR l.dueAt > $now) AND EXISTS { MATCH (l)<-[:WAITS_IN]-(d:Delivery) }
WITH l LIMIT $most
SET l.claimant = 'waking'
WITH l
WHERE coalesce(l.holder, '') = ''
SET l.dueAt = $now
RETURN count(*) AS woken
