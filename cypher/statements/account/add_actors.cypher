// Gives actors roles on an account. The same role again is an update, unless it speaks of an older date.
// $rows: [{id (of the account), actors: [{id, role, asOfDate}]}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Account {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
WITH n, row
UNWIND row.actors AS actor
MERGE (a:Actor {id: actor.id})
ON CREATE SET a:Placeholder, a.name = actor.id
MERGE (n)<-[r:HAS_ROLE {role: actor.role}]-(a)
SET r.asOfDate = CASE WHEN r.asOfDate IS NULL OR r.asOfDate <= actor.asOfDate THEN actor.asOfDate ELSE r.asOfDate END
