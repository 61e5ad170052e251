// A page of all transactions, newest first.
// $at (epoch milliseconds), $id: the page begins behind this one; $from (included): epoch milliseconds, bounds the time from below
// $limit: at most 501
// $minAmount, $maxAmount: numbers or null; $direction: text or null; $statuses, $channels, $methods: lists or null
// returns: row: a list as in transaction/facts
MATCH (t:Transaction)
// CASE and not OR: Neo4j reads an OR as two searches, and then sorts everything.
WHERE t.createdAt >= $from AND t.createdAt <= $at AND CASE t.createdAt WHEN $at THEN t.id < $id ELSE true END
  AND ($minAmount IS NULL OR t.amount >= $minAmount) AND ($maxAmount IS NULL OR t.amount <= $maxAmount)
  AND ($direction IS NULL OR t.direction = $direction) AND ($statuses IS NULL OR t.status IN $statuses)
  AND ($channels IS NULL OR t.channel IN $channels) AND ($methods IS NULL OR t.method IN $methods)
WITH t
// The longest page there is, as a number: kglite keeps so many rows while it reads, where for a parameter it sorts all of them.
ORDER BY t.createdAt DESC, t.id DESC
LIMIT 501
WITH t
ORDER BY t.createdAt DESC, t.id DESC
LIMIT $limit
RETURN [t.id, t.name, t.amountUnits, t.amountNanos, t.currency, t.createdAt, t.direction, t.status, t.channel, t.method, t.purpose,
    t.description, t.accountId, t.accountOwnerId, t.counterpartyName, t.channelLocationId, t.standardUnits, t.standardNanos] AS row
