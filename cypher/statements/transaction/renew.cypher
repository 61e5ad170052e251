// Notes that transactions that are locked (transaction/lock) were acknowledged again, word for word.
// $rows: [{id, logicalTime}]
// returns: nothing
UNWIND $rows AS row
MATCH (t:Transaction {id: row.id})
SET t.logicalTime = row.logicalTime
