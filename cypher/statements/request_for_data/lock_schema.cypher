// Locks schemas of requests for data that are there until the transaction ends.
// $rows: [{id, writeId}]
// returns: id, schema, createdAt
UNWIND $rows AS row
MATCH (s:RequestForDataSchema {id: row.id})
SET s.writeId = row.writeId
RETURN s.id AS id, s.schema AS schema, s.createdAt AS createdAt
