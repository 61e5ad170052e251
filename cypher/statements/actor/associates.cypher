// Who is associated with actors.
// $ids; $sign: 1 ascending, -1 descending; $after: where the page begins, or null; $limit
// returns: id, rows: [key, id, name, type, ratio, asOfDate]
UNWIND $ids AS id
MATCH (n:Actor {id: id})
CALL {
  WITH n
  MATCH (n)<-[r:ASSOCIATED_WITH]-(b:Actor)
  WITH b, b.id + '\n' + r.type AS key, r
  WHERE $after IS NULL OR ($sign > 0 AND key > $after) OR ($sign < 0 AND key < $after)
  WITH *
  ORDER BY CASE WHEN $sign > 0 THEN key END, CASE WHEN $sign < 0 THEN key END DESC
  LIMIT $limit
  RETURN collect([key, b.id, b.name, r.type, r.ratio, r.asOfDate]) AS rows
}
RETURN id, rows
