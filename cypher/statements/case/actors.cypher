// Actors whom cases are about or concern.
// $ids; $sign: 1 ascending, -1 descending; $after: where the page begins, or null; $limit
// returns: id, rows: [key, id, name, FOCUSES_ON or CONCERNS, decision, customProperties]
UNWIND $ids AS id
MATCH (n:`Case` {id: id})
CALL {
  WITH n
  MATCH (n)-[r:FOCUSES_ON|CONCERNS]->(b:Actor)
  WITH b, b.id AS key, r
  WHERE $after IS NULL OR ($sign > 0 AND key > $after) OR ($sign < 0 AND key < $after)
  WITH *
  ORDER BY CASE WHEN $sign > 0 THEN key END, CASE WHEN $sign < 0 THEN key END DESC
  LIMIT $limit
  RETURN collect([key, b.id, b.name, type(r), r.decision, r.customProperties]) AS rows
}
RETURN id, rows
