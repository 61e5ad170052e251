// Payments whose counterparty actors are, by whoever reported them.
// $ids; $sort: AMOUNT or CREATED_AT; $sign: 1 ascending, -1 descending; $afterKey (times $sign), $afterId: where the page begins, or null; $limit
// $minAmount, $maxAmount: numbers or null; $from (included), $to (not included): epoch milliseconds or null; $direction: text or null;
// $statuses, $channels, $methods: lists or null
// returns: id, rows: lists as in transaction/facts, the sort key times $sign behind
UNWIND $ids AS id
MATCH (n:Actor {id: id})
CALL {
  WITH n
  MATCH (n)<-[:INVOLVES]-(t:Transaction)
  WHERE ($minAmount IS NULL OR t.amount >= $minAmount) AND ($maxAmount IS NULL OR t.amount <= $maxAmount)
    AND ($from IS NULL OR t.createdAt >= $from) AND ($to IS NULL OR t.createdAt < $to)
    AND ($direction IS NULL OR t.direction = $direction) AND ($statuses IS NULL OR t.status IN $statuses)
    AND ($channels IS NULL OR t.channel IN $channels) AND ($methods IS NULL OR t.method IN $methods)
  WITH DISTINCT t, $sign * CASE $sort WHEN 'AMOUNT' THEN t.amount ELSE t.createdAt END AS key
  WHERE $afterKey IS NULL OR key > $afterKey
    OR (key = $afterKey AND (($sign > 0 AND t.id > $afterId) OR ($sign < 0 AND t.id < $afterId)))
  WITH t, key
  ORDER BY key, CASE WHEN $sign > 0 THEN t.id END, CASE WHEN $sign < 0 THEN t.id END DESC
  LIMIT $limit
  RETURN collect([t.id, t.name, t.amountUnits, t.amountNanos, t.currency, t.createdAt, t.direction, t.status, t.channel, t.method, t.purpose,
    t.description, t.accountId, t.accountOwnerId, t.counterpartyName, t.channelLocationId, t.standardUnits, t.standardNanos] + [key]) AS rows
}
RETURN id, rows
