// The risk scores that an actor has, if any.
// $actors: LIST<STRING>, ids of the actors that are monitored
// returns: actor, scores (how many)
UNWIND $actors AS id
MATCH (p:Actor {id: id})
OPTIONAL MATCH (p)-[:HAS_RISK_SCORE]->(s:RiskScore)
WITH p, count(s) AS scores
RETURN p.id AS actor, scores
