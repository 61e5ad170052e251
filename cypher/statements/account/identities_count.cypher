// How many identifiers and references accounts have.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Account {id: id})
CALL {
  WITH n
  MATCH (n)-[r:IDENTIFIED_BY|HAS_REFERENCE]->(b)
  WITH DISTINCT type(r) + ' ' + b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
