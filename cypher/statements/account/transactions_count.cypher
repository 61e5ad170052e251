// How many payments accounts have: sent, received or both.
// $ids
// $minAmount, $maxAmount: numbers or null; $from (included), $to (not included): epoch milliseconds or null; $direction: text or null;
// $statuses, $channels, $methods: lists or null
// $flow: SENT, RECEIVED_BY or null
// returns: id, total
UNWIND $ids AS id
MATCH (n:Account {id: id})
CALL {
  WITH n
  MATCH (n)-[r:SENT|RECEIVED_BY]-(t:Transaction)
  WHERE ($flow IS NULL OR type(r) = $flow) AND ($minAmount IS NULL OR t.amount >= $minAmount) AND ($maxAmount IS NULL OR t.amount <= $maxAmount)
    AND ($from IS NULL OR t.createdAt >= $from) AND ($to IS NULL OR t.createdAt < $to)
    AND ($direction IS NULL OR t.direction = $direction) AND ($statuses IS NULL OR t.status IN $statuses)
    AND ($channels IS NULL OR t.channel IN $channels) AND ($methods IS NULL OR t.method IN $methods)
  RETURN count(DISTINCT t) AS total
}
RETURN id, total
