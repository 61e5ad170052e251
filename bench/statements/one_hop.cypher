// Where the money of accounts went, by the roll-up, the largest totals first.
// $ids, $limit
// returns: id, rows: [id, name, currency, count, totalUnits, totalNanos, first, last]
UNWIND $ids AS id
MATCH (a:Account {id: id})
CALL {
  WITH a
  MATCH (a)-[t:TRANSFERRED_TO]->(b:Account) WHERE t.count > 0
  WITH b, t ORDER BY t.total DESC, b.id, t.currency LIMIT $limit
  RETURN collect([b.id, b.name, t.currency, t.count, t.totalUnits, t.totalNanos, t.first, t.last]) AS rows
}
RETURN id, rows
