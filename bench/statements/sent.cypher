// The newest 5 payments that an account sent, and how many it sent.
// $ids
// returns: id, total, rows: [id, amount, currency, createdAt]
UNWIND $ids AS id
MATCH (a:Account {id: id})
CALL {
  WITH a
  MATCH (a)-[:SENT]->(t:Transaction)
  RETURN count(*) AS total
}
CALL {
  WITH a
  MATCH (a)-[:SENT]->(t:Transaction)
  WITH t ORDER BY t.createdAt DESC, t.id DESC LIMIT 5
  RETURN collect([t.id, t.amount, t.currency, t.createdAt]) AS rows
}
RETURN id, total, rows
