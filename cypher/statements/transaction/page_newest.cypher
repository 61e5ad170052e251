// A page of all transactions, newest first.
// $at (epoch milliseconds), $id: the page begins behind this one; $limit
// $minAmount, $maxAmount: numbers or null; $from (included), $to (not included): epoch milliseconds or null; $direction: text or null;
// $statuses, $channels, $methods: lists or null
// returns: row: a list as in transaction/facts
MATCH (t:Transaction)
WHERE t.createdAt <= $at AND (t.createdAt < $at OR t.id < $id)
  AND ($minAmount IS NULL OR t.amount >= $minAmount) AND ($maxAmount IS NULL OR t.amount <= $maxAmount)
    AND ($from IS NULL OR t.createdAt >= $from) AND ($to IS NULL OR t.createdAt < $to)
    AND ($direction IS NULL OR t.direction = $direction) AND ($statuses IS NULL OR t.status IN $statuses)
    AND ($channels IS NULL OR t.channel IN $channels) AND ($methods IS NULL OR t.method IN $methods)
WITH t
ORDER BY t.createdAt DESC, t.id DESC
LIMIT $limit
RETURN [t.id, t.name, t.amountUnits, t.amountNanos, t.currency, t.createdAt, t.direction, t.status, t.channel, t.method, t.purpose,
    t.description, t.accountId, t.accountOwnerId, t.counterpartyName, t.channelLocationId, t.standardUnits, t.standardNanos] AS row
