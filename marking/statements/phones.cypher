// Gives actors phones.
// $rows: [{from (the actor), to (the phone), name}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.from})
MERGE (n:Phone {id: row.to})
ON CREATE SET n.name = row.name
CREATE (a)-[:HAS_PHONE]->(n)
