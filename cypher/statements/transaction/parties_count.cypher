// How many actors are the counterparty of transactions.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Transaction {id: id})
CALL {
  WITH n
  MATCH (n)-[:INVOLVES]->(b:Actor)
  WITH DISTINCT b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
