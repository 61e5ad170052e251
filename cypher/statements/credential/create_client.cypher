// Stores token clients; of the secret only its hash.
// $rows: [{id, name, role, hash, createdAt}]
// returns: nothing
UNWIND $rows AS row
CREATE (n:Client {id: row.id, name: row.name, role: row.role, hash: row.hash, createdAt: row.createdAt})
