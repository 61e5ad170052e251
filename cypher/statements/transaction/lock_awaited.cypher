// Locks payments that observations have named before they came, until the transaction ends. Any other has no row. (The label that it has already is a
// lock.)
// $rows: [{id}]
// returns: id, now (the clock's time)
UNWIND $rows AS row
MATCH (t:Transaction {id: row.id})
SET t:Transaction
WITH t
WHERE t:AwaitedTransaction
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
RETURN t.id AS id, clock.time AS now
