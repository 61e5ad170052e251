// How many accounts have a reference.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Reference {id: id})
CALL {
  WITH n
  MATCH (n)<-[:HAS_REFERENCE]-(b:Account)
  WITH DISTINCT b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
