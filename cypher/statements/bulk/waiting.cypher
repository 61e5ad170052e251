// Items that wait, by their ids.
// $ids
// returns: id, list, body, attempts, createdAt, logicalTime (null where an older program took it), sender ({id, name, role, means, ip, requestId})
UNWIND $ids AS id
MATCH (i:BulkItem {id: id})
WHERE i:DeferredItem
MATCH (i)-[:PART_OF]->(r:BulkRequest)
RETURN i.id AS id, i.list AS list, i.body AS body, i.attempts AS attempts, i.createdAt AS createdAt,
  i.logicalTime AS logicalTime, {id: r.userId, name: r.userName, role: r.userRole, means: r.means, ip: r.userIP, requestId: r.requestId} AS sender
ORDER BY id
