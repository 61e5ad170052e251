// How many payments a span of time has, whatever became of them.
// $begin (included), $behind (not included): epoch milliseconds
// returns: total
MATCH (t:Transaction)
WHERE t.createdAt >= $begin AND t.createdAt < $behind
RETURN count(t) AS total
