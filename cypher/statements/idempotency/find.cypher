// What was answered under idempotency keys.
// $ids: hashed keys
// returns: id, bodyHash, answer, createdAt
UNWIND $ids AS id
MATCH (k:IdempotencyKey {id: id})
RETURN k.id AS id, k.bodyHash AS bodyHash, k.answer AS answer, k.createdAt AS createdAt
