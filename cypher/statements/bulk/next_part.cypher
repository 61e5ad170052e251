// The part of a bulk request that is to be processed next, with who sent it and when.
// returns: id, list, body, first, receivedAt, userId, userName, userRole, means, userIP, requestId
MATCH (p:BulkPart)
WHERE p.id > ''
WITH p ORDER BY p.id LIMIT 1
MATCH (p)-[:PART_OF]->(r:BulkRequest)
RETURN p.id AS id, p.list AS list, p.body AS body, p.first AS first, r.receivedAt AS receivedAt, r.userId AS userId, r.userName AS userName,
  r.userRole AS userRole, r.means AS means, r.userIP AS userIP, r.requestId AS requestId
