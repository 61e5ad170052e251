// Locks clearances until the transaction ends. One that is not there has no row.
// $rows: [{id, writeId}]
// returns: id, name, actorId (or null), until (epoch milliseconds), endedAt (or null)
UNWIND $rows AS row
MATCH (c:ClearedMatch {id: row.id})
SET c.writeId = row.writeId
RETURN c.id AS id, c.name AS name, c.actorId AS actorId, c.until AS until, c.endedAt AS endedAt
