// Forgets the notes of a process that is gone.
// $ids: of notes
// returns: nothing
UNWIND $ids AS id
MATCH (n:CacheNote {id: id})
DETACH DELETE n
