// Forgets deliveries that ended before a time, some of them. What was made later has ended later, so that the index of the one bounds the other. One that
// is sent again at the same moment stays: the SET locks it, and it is looked at again.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (d:Delivery)
WHERE d.createdAt < $before AND d.finishedAt < $before AND d.state <> 'WAITING'
WITH d LIMIT $most
SET d.writeId = 'housekeeping'
WITH d
WHERE d.finishedAt < $before AND d.state <> 'WAITING'
DETACH DELETE d
RETURN count(*) AS forgotten
