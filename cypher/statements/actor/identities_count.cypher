// How many phones, emails, addresses, documents and references identify actors.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Actor {id: id})
CALL {
  WITH n
  MATCH (n)-[r:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]->(b)
  WITH DISTINCT type(r) + ' ' + b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
