// How many devices were seen at IP addresses.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:IpAddress {id: id})
CALL {
  WITH n
  MATCH (n)<-[:SEEN_AT]-(b:Device)
  WITH DISTINCT b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
