// How many of an account's payments are above an amount, if one is given.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $above: FLOAT?, the amount
// returns: actor, anchor, payments
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
RETURN p.id AS actor, a.id AS anchor, size([(a)-[:SENT]->(t:Transaction) WHERE t.amount > coalesce($above, 0.0) | t.id]) AS payments
