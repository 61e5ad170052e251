// Where most of an account's money goes, payments added up.
// $actors: LIST<STRING>, ids of the actors that are monitored
// $currency: STRING, as amounts of two currencies are not compared
// $most: INTEGER, how many receivers for each account
// returns: actor, anchor, flows (id and total, the largest first)
UNWIND $actors AS id
MATCH (p:Actor {id: id})-[:HAS_ROLE]->(a:Account)
CALL { WITH a MATCH (a)-[r:TRANSFERRED_TO]->(b:Account) WHERE r.currency = $currency
  WITH b, r ORDER BY r.total DESC, b.id LIMIT $most RETURN collect({id: b.id, total: r.total}) AS flows }
RETURN p.id AS actor, a.id AS anchor, flows
