// Forgets items whose time is over, some at a time.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (i:BulkItem)
WHERE i.processedAt < $before
WITH i LIMIT $most
DETACH DELETE i
RETURN count(*) AS forgotten
