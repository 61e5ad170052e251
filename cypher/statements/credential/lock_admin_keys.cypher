// Locks the API keys of administrators until the transaction ends, revoked ones included: of two revocations at once the second sees the first.
// $writeId
// returns: id, revokedAt (null while it is good)
MATCH (n:ApiKey)
WHERE n.role = 'ADMIN'
SET n.writeId = $writeId
RETURN n.id AS id, n.revokedAt AS revokedAt
