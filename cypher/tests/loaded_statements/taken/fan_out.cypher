// Accounts that pay to many others within a window.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $from: INTEGER, begin of the window in epoch milliseconds
// $to: INTEGER, its end, which is no part of it
// returns: actor, anchor, transactions, measures (receivers, largest)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
MATCH (a)-[:SENT]->(t:Transaction)-[:RECEIVED_BY]->(r:Account)
WHERE t.createdAt >= $from AND t.createdAt < $to
WITH p, a, t, r ORDER BY t.createdAt, t.id
WITH p.id AS actor, a.id AS anchor, collect(t.id) AS transactions, count(DISTINCT r) AS receivers, max(t.amount) AS largest
RETURN actor, anchor, transactions, {receivers: receivers, largest: largest} AS measures
