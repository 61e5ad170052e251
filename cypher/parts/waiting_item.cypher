MATCH (i)-[:PART_OF]->(r:BulkRequest)
RETURN i.id AS id, i.list AS list, i.body AS body, i.attempts AS attempts, i.createdAt AS createdAt, r.userId AS userId, r.userName AS userName,
  r.userRole AS userRole, r.means AS means, r.userIP AS userIP, r.requestId AS requestId
ORDER BY id
