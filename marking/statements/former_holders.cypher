// Roles on accounts that have ended.
// $rows: [{from (the actor), to (the account), since (epoch milliseconds, or null), until}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.from})
MATCH (b:Account {id: row.to})
CREATE (a)-[r:HAD_ROLE {role: 'AUTHORIZED', until: row.until}]->(b)
SET r.since = row.since
