// Devices that were signed in to accounts from, with how often and when first and last.
// $ids; $sign: 1 ascending, -1 descending; $after: where the page begins, or null; $limit
// returns: id, rows: [key, id, name, times, first, last]
UNWIND $ids AS id
MATCH (n:Account {id: id})
CALL {
  WITH n
  MATCH (n)<-[r:SIGNED_IN]-(b:Device)
  WITH b, b.id AS key, count(r) AS times, min(r.at) AS first, max(r.at) AS last
  WHERE $after IS NULL OR ($sign > 0 AND key > $after) OR ($sign < 0 AND key < $after)
  WITH *
  ORDER BY CASE WHEN $sign > 0 THEN key END, CASE WHEN $sign < 0 THEN key END DESC
  LIMIT $limit
  RETURN collect([key, b.id, b.name, times, first, last]) AS rows
}
RETURN id, rows
