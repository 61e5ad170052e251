// Locks jobs.
// $rows: [{id, writeId}]
// returns: id, kind, status, createdBy, leaseUntil, cancelRequestedAt
UNWIND $rows AS row
MATCH (j:JobInstance {id: row.id})
SET j.writeId = row.writeId
RETURN j.id AS id, j.kind AS kind, j.status AS status, j.createdBy AS createdBy, j.leaseUntil AS leaseUntil, j.cancelRequestedAt AS cancelRequestedAt
