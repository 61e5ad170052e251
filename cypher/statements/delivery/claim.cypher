// Takes lanes that are due, those first that have waited longest. Lanes to webhooks that have as many deliveries under way as they may have are put off.
// The first SET locks a lane until the transaction ends; it is looked up again then, as what was read of it before may be of before: the index, by which
// it was found, has told when it is due.
// $now, $until (the end of the leases): epoch milliseconds, $holder: nobody else's, $most, $full: [{id (a webhook's), until}]
// returns: id, webhookId, fullUntil (null: it is taken)
MATCH (due:DeliveryLane)
WHERE due.dueAt <= $now
WITH due ORDER BY due.dueAt, due.id LIMIT $most
SET due.claimant = $holder
WITH due.id AS id
MATCH (l:DeliveryLane {id: id})
WHERE l.dueAt <= $now
WITH l, head([webhook IN $full WHERE webhook.id = l.webhookId | webhook.until]) AS fullUntil
SET l.dueAt = coalesce(fullUntil, $until), l.holder = CASE WHEN fullUntil IS NULL THEN $holder ELSE '' END
RETURN l.id AS id, l.webhookId AS webhookId, fullUntil
