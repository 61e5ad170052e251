// How far bulk requests are: how the request's job stands, by list what was not looked at yet, and what waits or has failed. They are read in this order: of a
// job that has ended all parts are gone, and what waits is there. A part that is done meanwhile is found, but has nothing any more by the time it is read.
// $ids
// allows: 19 because a request has at most some thousands of items
// returns: id, receivedAt, status (of the job; null where an older program took the request), pending: [[list, items]], troubled: [[list, state, items]]
UNWIND $ids AS id
MATCH (r:BulkRequest {id: id})
OPTIONAL MATCH (j:JobInstance {id: id})
WITH id, r, j.status AS status
CALL {
  WITH r
  MATCH (p:BulkPart)-[:PART_OF]->(r)
  WITH p.list AS list, p.size AS size
  WHERE list IS NOT NULL AND size IS NOT NULL
  WITH list, sum(size) AS items
  RETURN collect([list, items]) AS pending
}
CALL {
  WITH r
  MATCH (i:BulkItem)-[:PART_OF]->(r)
  WITH i.list AS list, i.state AS state
  WHERE state <> 'COMPLETED' AND list IS NOT NULL
  WITH list, state, count(*) AS items
  RETURN collect([list, state, items]) AS troubled
}
RETURN id, r.receivedAt AS receivedAt, status, pending, troubled
