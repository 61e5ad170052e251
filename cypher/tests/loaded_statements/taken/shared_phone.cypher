// Actors that have a phone in common.
// $actors: LIST<STRING>, ids of the actors that are monitored
// returns: actor, anchor (the number), ring (how many have it)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_PHONE]->(n:Phone)<-[:HAS_PHONE]-(q:Actor)
WHERE q.id <> p.id
RETURN p.id AS actor, n.id AS anchor, count(DISTINCT q) + 1 AS ring
