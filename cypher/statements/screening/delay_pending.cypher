// Leaves actors for later of which a provider has said nothing; what has come since they were screened is due as it was. The first
// SET locks: so what is read behind it is so until the transaction ends.
// $rows: [{id, submission, tries, dueAt (epoch milliseconds)}]
// returns: nothing
UNWIND $rows AS row
MATCH (p:PendingScreening {id: row.id})
SET p.writeId = row.submission
WITH p, row, p.submission AS submission
WHERE submission = row.submission
SET p.tries = row.tries, p.dueAt = row.dueAt
