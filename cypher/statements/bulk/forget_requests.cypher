// Forgets bulk requests whose time is over and of which nothing is left, some at a time.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (r:BulkRequest)
WHERE r.receivedAt < $before AND NOT EXISTS { MATCH (r)<-[:PART_OF]-(x) }
WITH r LIMIT $most
DETACH DELETE r
RETURN count(*) AS forgotten
