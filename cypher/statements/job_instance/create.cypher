// Queues jobs.
// $rows: [{id, kind, name, status, payload, total, priority, deduplicationKey, createdAt, createdBy, createdByName, requestId, endedAt,
//   open: [true], or [] of those that the job of their kind does}]
// returns: nothing
UNWIND $rows AS row
