// Items that have waited long enough to be tried again, those that have waited longest first, and how large they are.
// $now: epoch milliseconds, $most
// returns: id, size (characters)
MATCH (i:BulkItem)
WHERE i.dueAt <= $now
WITH i ORDER BY i.dueAt LIMIT $most
RETURN i.id AS id, size(i.body) AS size
