// Which of some observations are there. One that is only named has no row.
// $ids
// returns: id
UNWIND $ids AS id
MATCH (o:Observation {id: id})
WITH o, o.record AS record
WHERE record IS NOT NULL
RETURN o.id AS id
