// Accounts that gather from several and pay to several afterwards.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $least: INTEGER, how many on each side
// returns: actor, anchor, measures (senders, receivers)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
MATCH (a)<-[:RECEIVED_BY]-(i:Transaction)<-[:SENT]-(s:Account)
WITH p, a, count(DISTINCT s) AS senders, min(i.createdAt) AS begun
WHERE senders >= $least
MATCH (a)-[:SENT]->(o:Transaction)-[:RECEIVED_BY]->(r:Account)
WHERE o.createdAt > begun
WITH p, a, senders, count(DISTINCT r) AS receivers
RETURN p.id AS actor, a.id AS anchor, {senders: senders, receivers: receivers} AS measures
