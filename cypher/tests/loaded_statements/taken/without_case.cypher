// Actors with payments above an amount whom no case is about.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $least: FLOAT, the amount
// returns: actor, payments
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(:Account)-[:SENT]->(t:Transaction)
WHERE t.amount >= $least AND NOT EXISTS { (p)<-[:FOCUSES_ON]-(:`Case`) }
RETURN p.id AS actor, count(*) AS payments
