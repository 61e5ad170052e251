// Forgets idempotency keys that have served their time, some at a time.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (k:IdempotencyKey)
WHERE k.createdAt < $before
WITH k LIMIT $most
DETACH DELETE k
RETURN count(*) AS forgotten
