// Part of bulk/accept, job_instance/create and watchlist/publish: the job itself. All fields are there, null or not: the embedded engine is slow with nodes
// that are not all alike.
CREATE (j:JobInstance {id: row.id, kind: row.kind, name: row.name, status: row.status, payload: row.payload, checkpoint: null, done: 0,
  total: row.total, priority: row.priority, deduplicationKey: row.deduplicationKey, createdAt: row.createdAt, createdBy: row.createdBy,
  createdByName: row.createdByName, requestId: row.requestId, dueAt: row.createdAt, leaseUntil: 0, holder: '', runs: 0, failures: 0,
  startedAt: null, savedAt: null, endedAt: row.endedAt, lastError: null, result: null, cancelRequestedAt: null, cancelledBy: null})
FOREACH (_ IN row.open | SET j:OpenJob)
