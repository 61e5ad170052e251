// Of jobs that are under way those that somebody wants cancelled.
// $ids
// returns: id
UNWIND $ids AS id
MATCH (j:JobInstance {id: id})
WHERE j.cancelRequestedAt IS NOT NULL
RETURN j.id AS id
