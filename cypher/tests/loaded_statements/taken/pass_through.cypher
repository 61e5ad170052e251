// Money that leaves an account soon after it has come, nearly all of it.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $within: INTEGER, milliseconds between coming and going
// $share: FLOAT, how much of it has to go
// returns: actor, anchor, transactions (what came, what went), measures (share)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
MATCH (a)<-[:RECEIVED_BY]-(i:Transaction)
MATCH (a)-[:SENT]->(o:Transaction)
WHERE o.createdAt > i.createdAt AND o.createdAt <= i.createdAt + $within AND o.amount <= i.amount AND o.amount >= i.amount * $share
RETURN p.id AS actor, a.id AS anchor, [i.id, o.id] AS transactions, {share: o.amount / i.amount} AS measures
