// Actors by their ids, with their records, and what was kept of them to screen them by. One whose record has not come has no row.
// $ids
// returns: id, record (JSON text), facts (JSON text as it was kept; or null), logicalTime (when the record was acknowledged; or null)
UNWIND $ids AS id
MATCH (a:Actor {id: id})
WITH a, a.record AS stored, a.screenedFacts AS kept, a.logicalTime AS time
WHERE stored IS NOT NULL
RETURN a.id AS id, stored AS record, kept AS facts, time AS logicalTime
