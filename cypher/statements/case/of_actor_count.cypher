// How many cases are about actors or concern them.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Actor {id: id})
CALL {
  WITH n
  MATCH (n)<-[:FOCUSES_ON|CONCERNS]-(b:`Case`)
  RETURN count(b) AS total
}
RETURN id, total
