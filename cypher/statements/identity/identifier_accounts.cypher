// Accounts that have an IBAN or account number.
// $ids; $sign: 1 ascending, -1 descending; $after: where the page begins, or null; $limit
// returns: id, rows: [key, id, name]
UNWIND $ids AS id
MATCH (n:AccountIdentifier {id: id})
CALL {
  WITH n
  MATCH (n)<-[:IDENTIFIED_BY]-(b:Account)
  WITH b, b.id AS key
  WHERE $after IS NULL OR ($sign > 0 AND key > $after) OR ($sign < 0 AND key < $after)
  WITH *
  ORDER BY CASE WHEN $sign > 0 THEN key END, CASE WHEN $sign < 0 THEN key END DESC
  LIMIT $limit
  RETURN collect([key, b.id, b.name]) AS rows
}
RETURN id, rows
