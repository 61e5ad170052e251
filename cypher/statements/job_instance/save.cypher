// Notes how far a job is, if this run still has it. What has come further has not failed for good; what was only looked at is no step further.
// $id, $holder, $runs: as this run has them, $checkpoint: text, $done, $total (or null), $further: true or false, $now and $until: epoch milliseconds
// returns: id, cancelled: only where it has
MATCH (j:JobInstance {id: $id})
SET j.claimant = $holder
WITH j
WHERE j.holder = $holder AND j.runs = $runs AND j.endedAt IS NULL
SET j.checkpoint = $checkpoint, j.done = $done, j.total = $total, j.savedAt = $now, j.leaseUntil = $until,
  j.failures = CASE WHEN $further THEN 0 ELSE j.failures END
RETURN j.id AS id, j.cancelRequestedAt IS NOT NULL AS cancelled
