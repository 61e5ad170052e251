// Makes some of a webhook's lanes due that rest, or wait until later. Those that somebody has are left alone: their dueAt is the end of a lease, and
// who has one looks at the webhook itself before he parks it.
// $id, $now: epoch milliseconds, $most
// returns: woken
MATCH (l:DeliveryLane)
WHERE l.webhookId = $id AND coalesce(l.holder, '') = '' AND (l.dueAt IS NULL OR l.dueAt > $now)
WITH l LIMIT $most
SET l.dueAt = $now
RETURN count(*) AS woken
