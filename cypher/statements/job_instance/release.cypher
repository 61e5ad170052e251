// Lets go of a job, if this run still has it, and says how it stands: to be gone on with, or ended. One that somebody wants cancelled is not gone on with.
// $id, $holder, $runs: as this run has them, $now: epoch milliseconds, $props: {status, dueAt, failures, lastError, and at the end endedAt, result},
// $ended: [true] or []
// returns: id: only where it has
MATCH (j:JobInstance {id: $id})
SET j.claimant = $holder
WITH j
WHERE j.holder = $holder AND j.runs = $runs AND j.endedAt IS NULL
WITH j, CASE WHEN j.cancelRequestedAt IS NOT NULL AND size($ended) = 0 THEN [true] ELSE [] END AS cancelled
SET j += $props, j.holder = '', j.leaseUntil = 0
FOREACH (_ IN cancelled | SET j.status = 'CANCELLED', j.endedAt = $now REMOVE j:OpenJob)
FOREACH (_ IN $ended | REMOVE j:OpenJob)
RETURN j.id AS id
