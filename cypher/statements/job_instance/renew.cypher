// Makes a lease longer, if it is still that of this run.
// $id, $holder, $runs: as this run has them, $until: epoch milliseconds
// returns: id, cancelled: only where it is
MATCH (j:JobInstance {id: $id})
SET j.claimant = $holder
WITH j
WHERE j.holder = $holder AND j.runs = $runs AND j.endedAt IS NULL
SET j.leaseUntil = $until
RETURN j.id AS id, j.cancelRequestedAt IS NOT NULL AS cancelled
