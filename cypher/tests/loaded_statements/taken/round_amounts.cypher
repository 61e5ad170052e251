// Payments of round amounts.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $unit: INTEGER, what an amount is a multiple of
// returns: actor, transactions, of (how many payments there are)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(:Account)-[:SENT]->(t:Transaction)
WITH p, t, t.amountUnits % $unit AS rest ORDER BY t.id
WITH p.id AS actor, [x IN collect({id: t.id, rest: rest}) WHERE x.rest = 0 | x.id] AS transactions, count(*) AS of
WHERE size(transactions) > 0
RETURN actor, transactions, of
