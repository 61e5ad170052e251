// Locks actors until the transaction ends. One that is not there has no row.
// $rows: [{id, writeId}]
// returns: id, record (null for a placeholder)
UNWIND $rows AS row
MATCH (a:Actor {id: row.id})
SET a.writeId = row.writeId
RETURN a.id AS id, a.record AS record
