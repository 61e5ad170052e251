// Payments into one account that stay below a threshold.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $from: INTEGER, begin of the window in epoch milliseconds
// $to: INTEGER, its end, which is no part of it
// $floor: FLOAT, the smallest amount that counts
// $below: FLOAT, the threshold
// returns: actor, anchor, transactions, measures (payments, total)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)<-[:RECEIVED_BY]-(t:Transaction)
WHERE t.createdAt >= $from AND t.createdAt < $to AND t.amount >= $floor AND t.amount < $below
WITH p, a, t ORDER BY t.createdAt, t.id
WITH p.id AS actor, a.id AS anchor, collect(t.id) AS transactions, count(*) AS payments, sum(toFloat(t.amount)) AS total
WHERE payments > 1
RETURN actor, anchor, transactions, {payments: payments, total: total} AS measures
