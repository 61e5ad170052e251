// Revokes API keys; they stay on record.
// $rows: [{id, at}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:ApiKey {id: row.id})
SET n.revokedAt = row.at
