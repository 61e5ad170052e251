// Items that have waited long enough to be tried again, those that have waited longest first.
// $now: epoch milliseconds, $most
// returns: id, list, body, attempts, createdAt, userId, userName, userRole, means, userIP, requestId
MATCH (i:BulkItem)
WHERE i.dueAt <= $now
WITH i ORDER BY i.dueAt LIMIT $most
