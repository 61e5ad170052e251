// Keeps a balance of an account, unless one of the same date, kind and currency was acknowledged later. No two rows are about one balance. (The label
// that it has already is a lock.)
// $rows: [{id (of the account), balanceId, logicalTime (null: that of the clock),
//   balance: {name, currency, current, available, type, asOfDate, ingestDate, recordedBy, record}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Account {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
MERGE (x:AccountBalance {id: row.balanceId})
SET x:AccountBalance
WITH n, x, row
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
WITH n, x, row, coalesce(row.logicalTime, clock.time) AS time, x.logicalTime AS former
WHERE former IS NULL OR former <= time
SET x += row.balance, x.logicalTime = time
MERGE (x)<-[:HAS_BALANCE]-(n)
