// Actors by their ids, with what they are screened by. One whose record has not come has no row.
// $ids
// returns: id, record (JSON text), facts (JSON text as it was kept with the record; null where the record came when actors were not screened)
UNWIND $ids AS id
MATCH (a:Actor {id: id})
WITH a, a.record AS record
WHERE record IS NOT NULL
RETURN a.id AS id, record AS record, a.screenedFacts AS facts
