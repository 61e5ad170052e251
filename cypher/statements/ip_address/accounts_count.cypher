// How many accounts were signed in to from IP addresses.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:IpAddress {id: id})
CALL {
  WITH n
  MATCH (n)<-[:SEEN_AT]-(:Device)-[r:SIGNED_IN]->(b:Account)
  WHERE r.ipAddress = n.id
  WITH DISTINCT b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
