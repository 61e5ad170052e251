// Takes lanes that are due, those first that have waited longest, but for those of webhooks that are passed over: here are enough of theirs already.
// Lanes to webhooks that have as many deliveries under way as they may have are put off; of the others there may be fewer places than lanes.
// The first SET locks a lane, in the order of their ids as everywhere, until the transaction ends. It is looked up again then, as what was read of it
// before may be of before: the index, by which it was found, has told when it is due. Whether it is due is no condition of that look-up: Neo4j would use
// the other index, and go through all that is due for each.
// $now, $until (the end of the leases): epoch milliseconds, $holder: nobody else's, $most (to look at), $places, $passedOver: [id (a webhook's)],
//   $full: [{id (a webhook's), until}]
// returns: id, taken (false: put off, or somebody else was faster), dueAt (since when it was due)
MATCH (due:DeliveryLane)
WHERE due.dueAt <= $now AND NOT due.webhookId IN $passedOver
WITH due ORDER BY due.dueAt LIMIT $most
WITH due, any(webhook IN $full WHERE webhook.id = due.webhookId) AS full
WITH collect({lane: due, full: full}) AS found
UNWIND [f IN found WHERE f.full] + [f IN found WHERE NOT f.full][..$places] AS f
WITH f.lane AS due ORDER BY f.lane.id
SET due.claimant = $holder
WITH due.id AS id
MATCH (l:DeliveryLane {id: id})
WITH l, l.dueAt AS dueAt, coalesce(l.dueAt, $until) <= $now AS free, head([webhook IN $full WHERE webhook.id = l.webhookId | webhook.until]) AS fullUntil
WITH l, dueAt, free, fullUntil, free AND fullUntil IS NULL AS taken
SET l.dueAt = CASE WHEN free THEN coalesce(fullUntil, $until) ELSE l.dueAt END,
  l.holder = CASE WHEN taken THEN $holder WHEN free THEN '' ELSE l.holder END
RETURN l.id AS id, taken AS taken, dueAt AS dueAt
