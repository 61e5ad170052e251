// Ends all leases of jobs. For a store that only one process can have open: when it is opened, who held them is gone. Who it was stays there, as he did not
// let go.
// returns: nothing
MATCH (j:OpenJob)
WHERE j.leaseUntil > 0
SET j.leaseUntil = 0
