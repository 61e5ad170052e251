// Gives actors addresses.
// $rows: [{from (the actor), to (the address), name}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.from})
MERGE (n:Address {id: row.to})
ON CREATE SET n.name = row.name
CREATE (a)-[:HAS_ADDRESS]->(n)
