// Locks the token clients of administrators until the transaction ends, revoked ones included.
// $writeId
// returns: id, revokedAt (null while it is good)
MATCH (n:Client)
WHERE n.role = 'ADMIN'
SET n.writeId = $writeId
RETURN n.id AS id, n.revokedAt AS revokedAt
