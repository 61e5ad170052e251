// Which actors are there; placeholders are not.
// $ids
// returns: id
UNWIND $ids AS id
MATCH (a:Actor {id: id})
WHERE NOT a:Placeholder
RETURN a.id AS id
