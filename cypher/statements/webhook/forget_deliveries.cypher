// Forgets deliveries that ended before a time, some of them. What was made later has ended later, so that the index of the one bounds the other;
// the embedded engine reads a range out of an index only if it has two ends.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (d:Delivery)
WHERE d.createdAt >= 0 AND d.createdAt < $before AND d.finishedAt < $before AND d.state <> 'WAITING'
WITH d LIMIT $most
DETACH DELETE d
RETURN count(*) AS forgotten
