// Forgets idempotency keys that have served their time, some at a time.
// $before: epoch milliseconds
// returns: forgotten
MATCH (k:IdempotencyKey)
WHERE k.createdAt < $before
WITH k LIMIT 10000
DETACH DELETE k
RETURN count(*) AS forgotten
