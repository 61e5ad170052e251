// How many actors have a phone.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Phone {id: id})
CALL {
  WITH n
  MATCH (n)<-[:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]-(b:Actor)
  WITH DISTINCT b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
