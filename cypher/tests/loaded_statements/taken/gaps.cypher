// The times between one payment of an account and the next.
// $actors: LIST<STRING>, ids of the actors that are monitored
// returns: actor, gaps (milliseconds), longest
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)<-[:RECEIVED_BY]-(t:Transaction)
WITH p, t ORDER BY t.createdAt, t.id
WITH p.id AS actor, collect(t.createdAt) AS times
WHERE size(times) > 1
WITH actor, [i IN range(0, size(times) - 2) | times[i + 1] - times[i]] AS gaps
RETURN actor, gaps, reduce(longest = 0, gap IN gaps | CASE WHEN gap > longest THEN gap ELSE longest END) AS longest
