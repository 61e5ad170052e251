// Associates whose relation has ended.
// $rows: [{from, to, type, since (epoch milliseconds, or null), until}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.from})
MATCH (b:Actor {id: row.to})
CREATE (a)-[r:WAS_ASSOCIATED_WITH {type: row.type, until: row.until}]->(b)
SET r.since = row.since
