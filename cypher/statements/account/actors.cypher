// Actors that have a role on accounts.
// $ids; $sign: 1 ascending, -1 descending; $after: where the page begins, or null; $limit
// returns: id, rows: [key, id, name, role, asOfDate]
UNWIND $ids AS id
MATCH (n:Account {id: id})
CALL {
  WITH n
  MATCH (n)<-[r:HAS_ROLE]-(b:Actor)
  WITH b, b.id + '\n' + r.role AS key, r
  WHERE $after IS NULL OR ($sign > 0 AND key > $after) OR ($sign < 0 AND key < $after)
  WITH *
  ORDER BY CASE WHEN $sign > 0 THEN key END, CASE WHEN $sign < 0 THEN key END DESC
  LIMIT $limit
  RETURN collect([key, b.id, b.name, r.role, r.asOfDate]) AS rows
}
RETURN id, rows
