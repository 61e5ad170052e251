// Makes actors others' associates.
// $rows: [{from, to, type, since (epoch milliseconds, or null)}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.from})
MATCH (b:Actor {id: row.to})
CREATE (a)-[r:ASSOCIATED_WITH {type: row.type}]->(b)
SET r.since = row.since
