// Schemas of requests for data by their types.
// $ids
// returns: id, schema, createdAt
UNWIND $ids AS id
MATCH (s:RequestForDataSchema {id: id})
RETURN s.id AS id, s.schema AS schema, s.createdAt AS createdAt
