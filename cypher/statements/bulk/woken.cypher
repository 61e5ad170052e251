// Items that wait for something that has arrived, by their ids.
// $ids
// returns: id, list, body, attempts, createdAt, userId, userName, userRole, means, userIP, requestId
UNWIND $ids AS id
MATCH (i:BulkItem {id: id})
WHERE i:DeferredItem
