// Gives actors roles on accounts.
// $rows: [{from (the actor), to (the account), since (epoch milliseconds, or null)}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.from})
MATCH (b:Account {id: row.to})
CREATE (a)-[r:HAS_ROLE {role: 'AUTHORIZED'}]->(b)
SET r.since = row.since
