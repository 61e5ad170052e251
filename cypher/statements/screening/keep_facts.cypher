// Keeps what actors are screened by, where it was kept otherwise or not at all. An actor whose record was acknowledged since that was read keeps what came
// with the record.
// $rows: [{id, submission, logicalTime (when the record was acknowledged; or null), facts (JSON text)}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.id})
SET a.writeId = row.submission
WITH a, row, coalesce(a.logicalTime, 0) AS time
WHERE time = coalesce(row.logicalTime, 0)
SET a.screenedFacts = row.facts
