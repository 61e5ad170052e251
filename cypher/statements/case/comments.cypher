// Comments on cases, in the order they were made: their ids are in it.
// $ids; $sign: 1 ascending, -1 descending; $after: where the page begins, or null; $limit
// returns: id, rows: [key, id, name, text, userId, createdAt]
UNWIND $ids AS id
MATCH (n:`Case` {id: id})
CALL {
  WITH n
  MATCH (n)-[:HAS_COMMENT]->(b:CaseComment)
  WITH b, b.id AS key
  WHERE $after IS NULL OR ($sign > 0 AND key > $after) OR ($sign < 0 AND key < $after)
  WITH *
  ORDER BY CASE WHEN $sign > 0 THEN key END, CASE WHEN $sign < 0 THEN key END DESC
  LIMIT $limit
  RETURN collect([key, b.id, b.name, b.text, b.userId, b.createdAt]) AS rows
}
RETURN id, rows
