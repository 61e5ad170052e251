// The audit entries with which observations were recorded for the first time: what says the same of a later entry is no new observation.
// $ids
// returns: id, entry (null of an observation whose record has not come)
UNWIND $ids AS id
MATCH (o:Observation {id: id})
RETURN o.id AS id, o.internalId AS entry
