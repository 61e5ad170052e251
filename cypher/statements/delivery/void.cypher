// Ends all leases of lanes. For a store that only one process can have open: when it is opened, who held them is gone.
// $now: epoch milliseconds
// returns: nothing
MATCH (l:DeliveryLane)
WHERE l.holder <> ''
SET l.dueAt = $now, l.holder = ''
