// Payments to actors that live in one of some countries.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $countries: LIST<STRING>, codes of two letters
// returns: actor, anchor, transactions, measures (country, payments)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
MATCH (a)-[:SENT]->(t:Transaction)-[:RECEIVED_BY]->(b:Account)<-[:HAS_ROLE]-(q:Actor)
WHERE q.domicile IN $countries
WITH p, a, q.domicile AS country, t ORDER BY t.createdAt, t.id
WITH p.id AS actor, a.id AS anchor, country, collect(t.id) AS transactions
RETURN actor, anchor, transactions, {country: country, payments: size(transactions)} AS measures
