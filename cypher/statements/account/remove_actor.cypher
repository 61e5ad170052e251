// Takes all roles of an actor on an account away.
// $rows: [{id (of the account), actor}]
// returns: key (the account's id and the actor's, with a line break between them): only where there was a role
UNWIND $rows AS row
MATCH (n:Account {id: row.id})<-[r:HAS_ROLE]-(a:Actor {id: row.actor})
DELETE r
WITH row.key AS key, count(*) AS removed
RETURN key, removed
