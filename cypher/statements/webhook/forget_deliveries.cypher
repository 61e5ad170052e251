// Forgets deliveries that ended before a time, some of them. What was made later has ended later, so that the index of the one bounds the other.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (d:Delivery)
WHERE d.createdAt < $before AND d.finishedAt < $before AND d.state <> 'WAITING'
WITH d LIMIT $most
DETACH DELETE d
RETURN count(*) AS forgotten
