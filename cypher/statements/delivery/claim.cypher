// Takes lanes that are due, those first that have waited longest, but for those of webhooks that are passed over: here are enough of theirs already.
// Lanes to webhooks that have as many deliveries under way as they may have are put off.
// The first SET locks a lane until the transaction ends; it is looked up again then, as what was read of it before may be of before: the index, by which
// it was found, has told when it is due. The coalesce keeps that look-up to the id: Neo4j would use the other index, and go through all that is due for each.
// $now, $until (the end of the leases): epoch milliseconds, $holder: nobody else's, $most, $passedOver: [id (a webhook's)], $full: [{id (a webhook's), until}]
// returns: id, webhookId, fullUntil (null: it is taken)
MATCH (due:DeliveryLane)
WHERE due.dueAt <= $now AND NOT due.webhookId IN $passedOver
WITH due ORDER BY due.dueAt LIMIT $most
SET due.claimant = $holder
WITH due.id AS id
MATCH (l:DeliveryLane {id: id})
WHERE coalesce(l.dueAt, $until) <= $now
WITH l, head([webhook IN $full WHERE webhook.id = l.webhookId | webhook.until]) AS fullUntil
SET l.dueAt = coalesce(fullUntil, $until), l.holder = CASE WHEN fullUntil IS NULL THEN $holder ELSE '' END
RETURN l.id AS id, l.webhookId AS webhookId, fullUntil AS fullUntil
