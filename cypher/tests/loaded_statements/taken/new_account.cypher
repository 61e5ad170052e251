// New accounts with a high turnover.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $since: STRING, a date
// $turnover: FLOAT, what it has to reach
// returns: actor, anchor, turnover
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
WHERE a.openedDate >= $since
MATCH (a)<-[:RECEIVED_BY]-(t:Transaction)
WITH p.id AS actor, a.id AS anchor, sum(toFloat(t.amount)) AS turnover
WHERE turnover >= $turnover
RETURN actor, anchor, turnover
