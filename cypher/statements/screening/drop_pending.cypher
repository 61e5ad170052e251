// Takes actors from those that wait to be screened; what has come since they were screened waits on. The first SET locks: so what is read behind it is so
// until the transaction ends.
// $rows: [{id, submission}]
// returns: nothing
UNWIND $rows AS row
MATCH (p:PendingScreening {id: row.id})
SET p.writeId = row.submission
WITH p, row, p.submission AS submission
WHERE submission = row.submission
DETACH DELETE p
