// Lets go of a job and says how it went, if it is still this holder's.
// $id, $holder, $props: {dueAt, restUntil, failures, and after a success succeededAt}
// returns: id: only where it was
MATCH (j:Job {id: $id})
SET j.claimant = $holder
WITH j
WHERE j.holder = $holder
SET j += $props, j.holder = '', j.leaseUntil = 0
RETURN j.id AS id
