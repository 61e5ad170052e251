// How many roles actors have on accounts, seen from the accounts.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Account {id: id})
CALL {
  WITH n
  MATCH (n)<-[r:HAS_ROLE]-(b:Actor)
  WITH DISTINCT b.id + '\n' + r.role AS key
  RETURN count(key) AS total
}
RETURN id, total
