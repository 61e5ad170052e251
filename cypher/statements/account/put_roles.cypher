// Says which roles actors have on accounts now, and which they had: each time that one was there is a HAD_ROLE of its own, from when it was given until
// it was taken away. One that was never there (it was sent before a removal, and written behind that) begins when it ends.
// They tell what does not come back: what was sent before a removal, or speaks of an older date. Accounts and actors are there (account/lock_roles).
// $rows: [{id (of the account), actor, role, held: [{asOfDate, logicalTime, since}] or [], former: [{asOfDate, logicalTime, removedTime, since (null: not
//   known), until}]}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:Account {id: row.id})
MATCH (a:Actor {id: row.actor})
FOREACH (props IN row.held | MERGE (n)<-[given:HAS_ROLE {role: row.role}]-(a) SET given += props)
FOREACH (props IN row.former | CREATE (n)<-[taken:HAD_ROLE {role: row.role}]-(a) SET taken += props)
WITH n, a, row
WHERE size(row.held) = 0
MATCH (n)<-[old:HAS_ROLE]-(a)
WHERE old.role = row.role
DELETE old
