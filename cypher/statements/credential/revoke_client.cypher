// Revokes token clients, and with them the tokens they have; they stay on record.
// $rows: [{id, at}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:Client {id: row.id})
SET n.revokedAt = row.at
