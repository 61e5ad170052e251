// Accounts that pay again after a long silence.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $from: INTEGER, begin of the window in epoch milliseconds
// $to: INTEGER, its end, which is no part of it
// $silence: INTEGER, milliseconds without a payment
// returns: actor, anchor, measures (silence)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
MATCH (a)-[:SENT]->(t:Transaction)
WHERE t.createdAt < $to
WITH p, a, max(CASE WHEN t.createdAt < $from THEN t.createdAt END) AS before, min(CASE WHEN t.createdAt >= $from THEN t.createdAt END) AS again
WHERE before IS NOT NULL AND again IS NOT NULL AND again - before >= $silence
RETURN p.id AS actor, a.id AS anchor, {silence: again - before} AS measures
