// How many there are: Where the money of accounts went, by the roll-up.
// $ids, $currency: text or null; $minTotal: number or null
// returns: id, total
UNWIND $ids AS id
MATCH (a:Account {id: id})
CALL {
  WITH a
  MATCH (a)-[t:TRANSFERRED_TO]->(b:Account)
  WHERE t.count > 0 AND ($currency IS NULL OR t.currency = $currency) AND ($minTotal IS NULL OR t.total >= $minTotal)
  RETURN count(t) AS total
}
RETURN id, total
