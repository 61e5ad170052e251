// All token clients, newest first, without their hashes.
// allows: 10 because clients are few
// returns: id, name, role, createdAt, revokedAt
MATCH (n:Client)
RETURN n.id AS id, n.name AS name, n.role AS role, n.createdAt AS createdAt, n.revokedAt AS revokedAt
ORDER BY createdAt DESC, id DESC
