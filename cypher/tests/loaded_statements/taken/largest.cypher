// The three largest payments of some actors.
// $actors: LIST<STRING>, ids of the actors that are monitored
// returns: actor, payment, amount
// rows: 3
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(:Account)-[:SENT]->(t:Transaction)
RETURN p.id AS actor, t.id AS payment, t.amount AS amount ORDER BY amount DESC, payment LIMIT 3
