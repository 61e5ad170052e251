// How many there are: Devices that were signed in to accounts from, with how often and when first and last.
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
