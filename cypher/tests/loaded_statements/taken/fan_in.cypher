// Accounts that many others pay to within a window.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $from: INTEGER, begin of the window in epoch milliseconds
// $to: INTEGER, its end, which is no part of it
// returns: actor, anchor (the account), transactions (ids in the order of time), measures (senders, total)
// limit: 30s
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
MATCH (a)<-[:RECEIVED_BY]-(t:Transaction)<-[:SENT]-(s:Account)
WHERE t.createdAt >= $from AND t.createdAt < $to AND t.status = 'COMPLETED'
WITH p, a, t, s ORDER BY t.createdAt, t.id
WITH p.id AS actor, a.id AS anchor, collect(t.id) AS transactions, count(DISTINCT s) AS senders, sum(toFloat(t.amount)) AS total
RETURN actor, anchor, transactions, {senders: senders, total: total} AS measures
