// How many payments were made with devices.
// $ids
// $minAmount, $maxAmount: numbers or null; $from (included), $to (not included): epoch milliseconds or null; $direction: text or null;
// $statuses, $channels, $methods: lists or null
// returns: id, total
UNWIND $ids AS id
MATCH (n:Device {id: id})
CALL {
  WITH n
  MATCH (n)<-[:USED]-(t:Transaction)
  WHERE ($minAmount IS NULL OR t.amount >= $minAmount) AND ($maxAmount IS NULL OR t.amount <= $maxAmount)
    AND ($from IS NULL OR t.createdAt >= $from) AND ($to IS NULL OR t.createdAt < $to)
    AND ($direction IS NULL OR t.direction = $direction) AND ($statuses IS NULL OR t.status IN $statuses)
    AND ($channels IS NULL OR t.channel IN $channels) AND ($methods IS NULL OR t.method IN $methods)
  RETURN count(DISTINCT t) AS total
}
RETURN id, total
