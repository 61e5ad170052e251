// Takes lanes that are due, those first that have waited longest, but for those of webhooks that are passed over: here are enough of theirs already.
// Lanes to webhooks that have as many deliveries under way as they may have are put off.
// The first SET locks a lane, in the order of their ids as everywhere, until the transaction ends. It is looked up again then, as what was read of it
// before may be of before: the index, by which it was found, has told when it is due. Whether it is due is no condition of that look-up: Neo4j would use
// the other index, and go through all that is due for each.
// $now, $until (the end of the leases): epoch milliseconds, $holder: nobody else's, $most, $passedOver: [id (a webhook's)],
//   $full: [{id (a webhook's), until}]
// returns: id, taken (false: put off, or somebody else was faster)
MATCH (due:DeliveryLane)
WHERE due.dueAt <= $now AND NOT due.webhookId IN $passedOver
WITH due ORDER BY due.dueAt LIMIT $most
WITH due ORDER BY due.id
SET due.claimant = $holder
WITH due.id AS id
MATCH (l:DeliveryLane {id: id})
WITH l, coalesce(l.dueAt, $until) <= $now AS free, head([webhook IN $full WHERE webhook.id = l.webhookId | webhook.until]) AS fullUntil
WITH l, free, fullUntil, free AND fullUntil IS NULL AS taken
SET l.dueAt = CASE WHEN free THEN coalesce(fullUntil, $until) ELSE l.dueAt END,
  l.holder = CASE WHEN taken THEN $holder WHEN free THEN '' ELSE l.holder END
RETURN l.id AS id, taken AS taken
