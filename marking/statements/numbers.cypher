// Gives accounts numbers.
// $rows: [{account, number}]
// returns: nothing
UNWIND $rows AS row
MATCH (b:Account {id: row.account})
MERGE (n:AccountIdentifier {id: row.number})
ON CREATE SET n.name = row.number
CREATE (b)-[:IDENTIFIED_BY {source: 'RECORD'}]->(n)
