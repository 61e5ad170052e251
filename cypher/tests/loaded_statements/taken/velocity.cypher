// How many payments an account has in a window, beside those before it.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $from: INTEGER, begin of the window in epoch milliseconds
// $to: INTEGER, its end, which is no part of it
// returns: actor, anchor, within, before
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)-[:SENT]->(t:Transaction)
WHERE t.createdAt < $to
RETURN p.id AS actor, a.id AS anchor, count(CASE WHEN t.createdAt >= $from THEN 1 END) AS within,
  count(CASE WHEN t.createdAt < $from THEN 1 END) AS before
