// Actors by their ids, with what they are screened by: the record only where nothing was kept with it, as it is much larger. One whose record has not
// come has no row.
// $ids
// returns: id, record (JSON text; or null), facts (JSON text as it was kept with the record; or null)
UNWIND $ids AS id
MATCH (a:Actor {id: id})
WITH a, a.record AS stored, a.screenedFacts AS kept
WHERE stored IS NOT NULL
RETURN a.id AS id, CASE WHEN kept IS NULL THEN stored ELSE null END AS record, kept AS facts
