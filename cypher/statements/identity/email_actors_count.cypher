// How many actors have an email.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Email {id: id})
CALL {
  WITH n
  MATCH (n)<-[:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]-(b:Actor)
  WITH DISTINCT b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
