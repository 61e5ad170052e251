// The roll-ups of what an account has sent to receivers behind one of them, up to another.
// $account; $after: a receiver's id, or '' for the first ones; $end: another, which is included
// returns: rollUp (a list as in transfer/of_senders)
MATCH (f:Account {id: $account})-[r:TRANSFERRED_TO]->(s:Account)
WITH r, s, s.id AS to
WHERE to > $after AND to <= $end
RETURN [s.id, r.currency, r.sentCount, r.sentUnits, r.sentNanos, r.sentCarry, r.sentStandardUnits, r.sentStandardNanos, r.sentStandardCarry,
    r.receivedCount, r.receivedUnits, r.receivedNanos, r.receivedCarry, r.receivedStandardUnits, r.receivedStandardNanos, r.receivedStandardCarry,
    r.count, r.totalUnits, r.totalNanos, r.totalCarry, r.first, r.last] AS rollUp
