// How many there are: IP addresses that devices were seen at.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Device {id: id})
CALL {
  WITH n
  MATCH (n)-[:SEEN_AT]->(b:IpAddress)
  WITH DISTINCT b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
