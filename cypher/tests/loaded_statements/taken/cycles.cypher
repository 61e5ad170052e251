// Money that comes back over two others, in the order of time.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $within: INTEGER, milliseconds from the first payment to the last
// returns: actor, anchor, transactions, measures (first, last)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
MATCH (a)-[:SENT]->(x:Transaction)-[:RECEIVED_BY]->(b:Account)
MATCH (b)-[:SENT]->(y:Transaction)-[:RECEIVED_BY]->(c:Account)
WHERE y.createdAt > x.createdAt AND c.id <> a.id
MATCH (c)-[:SENT]->(z:Transaction)-[:RECEIVED_BY]->(a)
WHERE z.createdAt > y.createdAt AND z.createdAt <= x.createdAt + $within
RETURN p.id AS actor, a.id AS anchor, [x.id, y.id, z.id] AS transactions, {first: x.amount, last: z.amount} AS measures
