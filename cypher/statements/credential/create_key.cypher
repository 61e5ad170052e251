// Stores API keys; of the secret only its hash.
// $rows: [{id, name, role, hash, createdAt}]
// returns: nothing
UNWIND $rows AS row
CREATE (n:ApiKey {id: row.id, name: row.name, role: row.role, hash: row.hash, createdAt: row.createdAt})
