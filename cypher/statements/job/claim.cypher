// Takes a job for a while, if nobody has it, and nobody has had it since it was looked at. The first SET locks it until the transaction
// ends, so that what is read then stays true.
// $id, $holder, $runs: as the look showed them, $now and $until: epoch milliseconds
// returns: id: only where this call got it
MATCH (j:Job {id: $id})
SET j.claimant = $holder
WITH j
WHERE j.runs = $runs AND j.leaseUntil <= $now
SET j.holder = $holder, j.leaseUntil = $until, j.runs = j.runs + 1
RETURN j.id AS id
