// Takes a job for a while, if nobody has it, nobody has had it since it was looked at, and no more of its kind are under way than may be (or somebody wants it cancelled). Its kind is
// locked first, so that of two claims the second counts the first. Whose worker did not let go has died at it.
// $id, $kind, $holder, $runs: as the look showed them, $now and $until: epoch milliseconds, $most: of its kind at a time
// returns: id, payload, checkpoint, failures, cancelled: only where this call got it
MATCH (k:JobKind {id: $kind})
SET k.claimant = $holder
WITH k
MATCH (j:JobInstance {id: $id})
SET j.claimant = $holder
WITH j
WHERE j.runs = $runs AND j.leaseUntil <= $now AND j.status IN ['QUEUED', 'RUNNING']
OPTIONAL MATCH (other:OpenJob)
WHERE other.kind = $kind AND other.leaseUntil > $now
WITH j, count(other) AS held, j.cancelRequestedAt IS NOT NULL AS cancelled, j.failures + CASE WHEN j.holder = '' THEN 0 ELSE 1 END AS failures
WHERE held < $most OR cancelled
SET j.holder = $holder, j.leaseUntil = $until, j.runs = $runs + 1, j.status = 'RUNNING', j.failures = failures,
  j.startedAt = coalesce(j.startedAt, $now)
RETURN j.id AS id, j.payload AS payload, j.checkpoint AS checkpoint, failures, cancelled
