// Forgets one idempotency key, as it was read: it has served its time, and its sender uses it again.
// $id: the hashed key, $createdAt: as it was read
// returns: forgotten
MATCH (k:IdempotencyKey {id: $id})
WHERE k.createdAt = $createdAt
DETACH DELETE k
RETURN count(*) AS forgotten
