// All API keys, newest first, without their hashes.
// allows: 10 because keys are few
// returns: id, name, role, createdAt, revokedAt
MATCH (n:ApiKey)
RETURN n.id AS id, n.name AS name, n.role AS role, n.createdAt AS createdAt, n.revokedAt AS revokedAt
ORDER BY createdAt DESC, id DESC
