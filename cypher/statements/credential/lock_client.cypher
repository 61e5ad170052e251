// Locks token clients until the transaction ends.
// $rows: [{id, writeId}]
// returns: id, revokedAt (null while it is good)
UNWIND $rows AS row
MATCH (n:Client {id: row.id})
SET n.writeId = row.writeId
RETURN n.id AS id, n.revokedAt AS revokedAt
