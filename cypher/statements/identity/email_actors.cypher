// Actors that have an email.
// $ids; $sign: 1 ascending, -1 descending; $after: where the page begins, or null; $limit
// returns: id, rows: [key, id, name]
UNWIND $ids AS id
MATCH (n:Email {id: id})
CALL {
  WITH n
  MATCH (n)<-[:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]-(b:Actor)
  WITH b, b.id AS key
  WHERE $after IS NULL OR ($sign > 0 AND key > $after) OR ($sign < 0 AND key < $after)
  WITH *
  ORDER BY CASE WHEN $sign > 0 THEN key END, CASE WHEN $sign < 0 THEN key END DESC
  LIMIT $limit
  RETURN collect([key, b.id, b.name]) AS rows
}
RETURN id, rows
