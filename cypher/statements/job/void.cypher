// Ends all leases. For a store that only one process can have open: when it is opened, who held them is gone.
// returns: nothing
MATCH (j:Job)
WHERE j.leaseUntil > 0
SET j.leaseUntil = 0, j.holder = ''
