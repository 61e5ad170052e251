// Takes all roles of an actor on an account away.
// $rows: [{key (both ids, with a line break between them), id (of the account), actor}]
// returns: key, removed (how many roles): only where there was one
UNWIND $rows AS row
MATCH (n:Account {id: row.id})<-[r:HAS_ROLE]-(a:Actor {id: row.actor})
DELETE r
WITH row.key AS key, count(*) AS removed
RETURN key, removed
