// Makes a lease longer, if it is still this holder's.
// $id, $holder, $until: epoch milliseconds
// returns: id: only where it is
MATCH (j:Job {id: $id})
SET j.claimant = $holder
WITH j
WHERE j.holder = $holder
SET j.leaseUntil = $until
RETURN j.id AS id
