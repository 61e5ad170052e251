// Locks accounts until the transaction ends, and tells how many roles an actor has on each.
// $rows: [{key (of both ids), id (of the account), actor, writeId}]
// returns: id (the key), roles (how many)
UNWIND $rows AS row
MATCH (n:Account {id: row.id})
SET n.writeId = row.writeId
WITH row, n
OPTIONAL MATCH (n)<-[r:HAS_ROLE]-(a:Actor {id: row.actor})
RETURN row.key AS id, count(r) AS roles
