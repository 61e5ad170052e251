// How many accounts have an IBAN or account number.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:AccountIdentifier {id: id})
CALL {
  WITH n
  MATCH (n)<-[:IDENTIFIED_BY]-(b:Account)
  WITH DISTINCT b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
