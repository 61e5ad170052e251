// How many payments, devices and phones an actor's accounts have.
// $actors: LIST<STRING>, ids of the actors that are monitored
// returns: actor, anchor, sent, received, devices
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
RETURN p.id AS actor, a.id AS anchor, COUNT { (a)-[:SENT]->(:Transaction) } AS sent, COUNT { (a)<-[:RECEIVED_BY]-(:Transaction) } AS received,
  COUNT { (a)<-[:SIGNED_IN]-(:Device) } AS devices
