// Takes all roles of an actor on an account away.
// $rows: [{id (of the account), actor}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:Account {id: row.id})<-[r:HAS_ROLE]-(a:Actor {id: row.actor})
DELETE r
