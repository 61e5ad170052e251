// How many accounts were signed in to from devices.
// $ids
// returns: id, total
UNWIND $ids AS id
MATCH (n:Device {id: id})
CALL {
  WITH n
  MATCH (n)-[r:SIGNED_IN]->(b:Account)
  WITH DISTINCT b.id AS key
  RETURN count(key) AS total
}
RETURN id, total
