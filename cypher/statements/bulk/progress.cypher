// How far bulk requests are: by list what was not looked at yet, and what waits or has failed.
// $ids
// allows: 19 because a request has at most some thousands of items
// returns: id, pending: [[list, items]], troubled: [[list, state, items]]
UNWIND $ids AS id
MATCH (r:BulkRequest {id: id})
CALL {
  WITH r
  MATCH (p:BulkPart)-[:PART_OF]->(r)
  WITH p.list AS list, sum(p.size) AS items
  RETURN collect([list, items]) AS pending
}
CALL {
  WITH r
  MATCH (i:BulkItem)-[:PART_OF]->(r)
  WHERE i.state <> 'COMPLETED'
  WITH i.list AS list, i.state AS state, count(i) AS items
  RETURN collect([list, state, items]) AS troubled
}
RETURN id, pending, troubled
