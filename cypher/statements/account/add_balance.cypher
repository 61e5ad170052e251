// Keeps a balance of an account.
// $rows: [{id (of the account), balanceId, balance: {name, currency, current, available, type, asOfDate, ingestDate, record}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Account {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
MERGE (x:AccountBalance {id: row.balanceId})
SET x += row.balance
MERGE (x)<-[:HAS_BALANCE]-(n)
