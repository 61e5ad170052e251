// Ids of former versions of completed payments of a span of time that were known at a moment, behind one of them, in order.
// $begin (included), $behind (not included), $knownUpTo: epoch milliseconds; $after: an id, or '' for the first ones
// returns: id
MATCH (v:TransactionVersion)
WHERE v.createdAt >= $begin AND v.createdAt < $behind
WITH v.id AS id, v.status AS status, v.knownFrom AS knownFrom, v.knownUntil AS knownUntil
WHERE id > $after AND status = 'COMPLETED' AND knownFrom <= $knownUpTo AND knownUntil > $knownUpTo
RETURN id
ORDER BY id LIMIT 10000
