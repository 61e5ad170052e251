// A detection run by its id.
// $id
// returns: id, knownUpTo (epoch milliseconds; null until it has begun)
MATCH (d:DetectionRun {id: $id})
RETURN d.id AS id, d.knownUpTo AS knownUpTo
