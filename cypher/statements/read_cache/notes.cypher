// What processes have written.
// $ids: of notes
// returns: id, content
UNWIND $ids AS id
MATCH (n:CacheNote {id: id})
RETURN n.id AS id, n.content AS content
