// Pairs of accounts that pay each other.
// $actors: LIST<STRING>, ids of the actors that are monitored
// returns: actor, anchor, other, there (total), back (total)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)-[x:TRANSFERRED_TO]->(b:Account)-[y:TRANSFERRED_TO]->(a)
RETURN p.id AS actor, a.id AS anchor, b.id AS other, x.total AS there, y.total AS back
