// Forgets jobs whose time is over, some at a time.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (j:JobInstance)
WHERE j.endedAt < $before
WITH j LIMIT $most
DETACH DELETE j
RETURN count(*) AS forgotten
