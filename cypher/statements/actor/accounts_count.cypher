// How many roles actors have on accounts, seen from the actors.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Actor {id: id})
CALL {
  WITH n
  MATCH (n)-[r:HAS_ROLE]->(b:Account)
  WITH DISTINCT b.id + '\n' + r.role AS key
  RETURN count(key) AS total
}
RETURN id, total
