// Notes that payments of accounts by numbers are to be moved to whom has the numbers now. Whoever moves them does so in steps.
// A move that is there already is locked and marked all the same, so that whoever is about to end it finds out.
// $rows: [{account, name, number, at (epoch milliseconds), writeId}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Account {id: row.account})
MATCH (i:AccountIdentifier {id: row.number})
MERGE (m:PaymentMove {id: row.account})
ON CREATE SET m.name = row.name, m.createdAt = row.at
SET m.openedBy = row.writeId
MERGE (m)-[:FROM]->(a)
MERGE (m)-[:BY]->(i)
