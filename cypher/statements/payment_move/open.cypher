// Notes that payments of accounts by numbers are to be moved to whom has the numbers now. Whoever moves them does so in steps.
// $rows: [{account, name, number, at (epoch milliseconds)}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Account {id: row.account})
MATCH (i:AccountIdentifier {id: row.number})
MERGE (m:PaymentMove {id: row.account})
ON CREATE SET m.name = row.name, m.createdAt = row.at
MERGE (m)-[:FROM]->(a)
MERGE (m)-[:BY]->(i)
