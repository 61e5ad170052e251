// Jobs by their ids.
// $ids
// returns: job (a map)
UNWIND $ids AS id
MATCH (j:JobInstance {id: id})
