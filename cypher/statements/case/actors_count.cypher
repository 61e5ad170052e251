// How many actors cases have.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:`Case` {id: id})
CALL {
  WITH n
  MATCH (n)-[:FOCUSES_ON|CONCERNS]->(b:Actor)
  RETURN count(b) AS total
}
RETURN id, total
