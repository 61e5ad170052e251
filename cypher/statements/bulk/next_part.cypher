// The part of a bulk request that is to be processed next, with who sent it and when.
// $after: the id of the one before, which may still be there; or empty
// returns: id, list, body, first, logicalTime (null where an older program took it), receivedAt, sender ({id, name, role, means, ip, requestId}), cancelledBy (null
//   unless somebody has cancelled the request's job)
MATCH (p:BulkPart)
WHERE p.id > $after
WITH p ORDER BY p.id LIMIT 1
MATCH (p)-[:PART_OF]->(r:BulkRequest)
OPTIONAL MATCH (j:JobInstance {id: r.id})
RETURN p.id AS id, p.list AS list, p.body AS body, p.first AS first, p.logicalTime AS logicalTime, r.receivedAt AS receivedAt,
  {id: r.userId, name: r.userName, role: r.userRole, means: r.means, ip: r.userIP, requestId: r.requestId} AS sender,
  j.cancelledBy AS cancelledBy
