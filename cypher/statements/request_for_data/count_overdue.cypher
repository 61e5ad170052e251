// How many requests for data are open and due already; no more than $most are counted.
// $now, $most
// returns: total
MATCH (q:RequestForData)
WHERE q.overdueAt >= 0 AND q.overdueAt < $now
WITH q LIMIT $most
RETURN count(q) AS total
