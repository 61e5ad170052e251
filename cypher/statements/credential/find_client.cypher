// A token client, unless it was revoked.
// $id
// returns: id, role, name, hash
MATCH (n:Client {id: $id})
WHERE n.revokedAt IS NULL
RETURN n.id AS id, n.role AS role, n.name AS name, n.hash AS hash
