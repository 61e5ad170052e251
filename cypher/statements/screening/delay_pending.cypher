// Leaves actors for later of which a provider has said nothing; what has come since they were screened is due as it was.
// $rows: [{id, submission, tries, dueAt (epoch milliseconds)}]
// returns: nothing
UNWIND $rows AS row
MATCH (p:PendingScreening {id: row.id})
WITH p, row, p.submission AS submission
WHERE submission = row.submission
SET p.tries = row.tries, p.dueAt = row.dueAt
