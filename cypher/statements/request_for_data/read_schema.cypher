// Schemas of requests for data by their types.
// $ids
// returns: id, schema, createdAt, dueWithin (seconds, or null)
UNWIND $ids AS id
MATCH (s:RequestForDataSchema {id: id})
RETURN s.id AS id, s.schema AS schema, s.createdAt AS createdAt, s.dueWithin AS dueWithin
