// Takes actors from those that wait to be screened; what has come since they were screened waits on.
// $rows: [{id, submission}]
// returns: nothing
UNWIND $rows AS row
MATCH (p:PendingScreening {id: row.id})
WITH p, row, p.submission AS submission
WHERE submission = row.submission
DETACH DELETE p
