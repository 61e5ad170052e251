// From how many devices accounts were signed in to.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Account {id: id})
CALL {
  WITH n
  MATCH (n)<-[r:SIGNED_IN]-(b:Device)
  WITH DISTINCT b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
