// Who is behind an actor, over at most three others.
// $actors: LIST<STRING>, ids of the actors that are monitored
// returns: actor, owner, layers
UNWIND $actors AS id
MATCH (p:Actor {id: id})
MATCH way = (q:Actor)-[:ASSOCIATED_WITH*1..3]->(p)
RETURN p.id AS actor, q.id AS owner, length(way) AS layers
