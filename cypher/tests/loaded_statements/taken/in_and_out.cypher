// All payments of an account, with their way.
// $actors: LIST<STRING>, ids of the actors that are monitored
// returns: actor, payment, way (IN or OUT)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
CALL { WITH a MATCH (a)-[:SENT]->(t:Transaction) RETURN t.id AS payment, 'OUT' AS way
  UNION ALL WITH a MATCH (a)<-[:RECEIVED_BY]-(t:Transaction) RETURN t.id AS payment, 'IN' AS way }
RETURN p.id AS actor, payment, way
