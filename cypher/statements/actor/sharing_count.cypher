// How many other actors share an identity with actors; whoever shares two counts twice.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Actor {id: id})
CALL {
  WITH n
  MATCH (n)-[r:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]->(i)<-[:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]-(b:Actor)
  WHERE b.id <> n.id
  WITH DISTINCT b.id + '\n' + type(r) + ' ' + i.id AS key
  RETURN count(key) AS total
}
RETURN id, total
