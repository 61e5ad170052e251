// Forgets jobs of a kind that are done, some at a time. What has failed or was cancelled is forgotten with all others.
// $kind, $before: epoch milliseconds, $most
// returns: forgotten
MATCH (j:JobInstance)
WHERE j.endedAt < $before AND j.kind = $kind AND j.status = 'DONE'
WITH j LIMIT $most
DETACH DELETE j
RETURN count(*) AS forgotten
