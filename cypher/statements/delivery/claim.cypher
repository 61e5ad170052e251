// Takes lanes that are due, those first that have waited longest. Lanes to webhooks that have as many deliveries under way as they may have are put off.
// The first SET locks a lane until the transaction ends, so that what is read then stays true.
// $now, $until (the end of the leases): epoch milliseconds, $holder: nobody else's, $most, $full: [{id (a webhook's), until}]
// returns: id, webhookId, fullUntil (null: it is taken)
MATCH (l:DeliveryLane)
WHERE l.dueAt <= $now
WITH l ORDER BY l.dueAt, l.id LIMIT $most
SET l.claimant = $holder
WITH l
WHERE l.dueAt <= $now
WITH l, head([webhook IN $full WHERE webhook.id = l.webhookId | webhook.until]) AS fullUntil
SET l.dueAt = coalesce(fullUntil, $until), l.holder = CASE WHEN fullUntil IS NULL THEN $holder ELSE '' END
RETURN l.id AS id, l.webhookId AS webhookId, fullUntil
