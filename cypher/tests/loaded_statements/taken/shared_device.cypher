// Accounts of different actors that one device has signed in to.
// $actors: LIST<STRING>, ids of the actors that are monitored
// returns: actor, anchor (the device), others (ids of accounts)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)<-[:SIGNED_IN]-(d:Device)-[:SIGNED_IN]->(b:Account)
WHERE b.id <> a.id
WITH DISTINCT p, d, b ORDER BY b.id
WITH p.id AS actor, d.id AS anchor, collect(b.id) AS others
RETURN actor, anchor, others
