// Locks definitions of custom properties that are there until the transaction ends.
// $rows: [{id, writeId}]
// returns: id, schema, createdAt
UNWIND $rows AS row
MATCH (p:CustomProperty {id: row.id})
SET p.writeId = row.writeId
RETURN p.id AS id, p.schema AS schema, p.createdAt AS createdAt
