// At how many IP addresses devices were seen.
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
