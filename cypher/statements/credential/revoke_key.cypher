// Revokes one of the API keys; it stays on record.
// $rows: [{id, at}]
// returns: key (the id): only where there was one to revoke
UNWIND $rows AS row
MATCH (n:ApiKey {id: row.id})
WHERE n.revokedAt IS NULL
SET n.revokedAt = row.at
RETURN n.id AS key
