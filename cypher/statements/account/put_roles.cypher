// Says which roles actors have on accounts now, and which were removed: those stay as HAD_ROLE, so that what was sent before a removal, or speaks of an
// older date, does not bring them back. Accounts and actors are there (account/lock_roles).
// $rows: [{id (of the account), actor, role, held: [{asOfDate, logicalTime}] or [], former: [{asOfDate, logicalTime, removedTime, until}] or []}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:Account {id: row.id})
MATCH (a:Actor {id: row.actor})
FOREACH (props IN row.held | MERGE (n)<-[given:HAS_ROLE {role: row.role}]-(a) SET given += props)
FOREACH (props IN row.former | MERGE (n)<-[taken:HAD_ROLE {role: row.role}]-(a) SET taken += props)
WITH n, a, row
WHERE size(row.held) = 0
MATCH (n)<-[old:HAS_ROLE]-(a)
WHERE old.role = row.role
DELETE old
