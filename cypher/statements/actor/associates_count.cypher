// How many associations lead from others to actors: one for each other and type.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Actor {id: id})
CALL {
  WITH n
  MATCH (n)<-[r:ASSOCIATED_WITH]-(b:Actor)
  WITH DISTINCT b.id + '\n' + r.type AS key
  RETURN count(key) AS total
}
RETURN id, total
