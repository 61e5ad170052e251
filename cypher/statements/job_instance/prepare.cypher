// Locks the kinds of jobs that are to be queued, so that of two with one deduplication key the second sees the first, and looks for such a job that
// has not ended and that nobody wants cancelled.
// $rows: [{id: of the new job, kind, deduplicationKey (or null), writeId}]
// returns: id, open (the id of the job that there is; or null)
UNWIND $rows AS row
MERGE (k:JobKind {id: row.kind})
ON CREATE SET k.name = row.kind
SET k.writeId = row.writeId
WITH row
OPTIONAL MATCH (j:OpenJob)
WHERE j.kind = row.kind AND j.deduplicationKey = row.deduplicationKey AND j.cancelRequestedAt IS NULL
RETURN row.id AS id, min(j.id) AS open
