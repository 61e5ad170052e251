// Locks payments that observations have named before they came, until the transaction ends. Any other has no row.
// $rows: [{id, writeId}]
// returns: id
UNWIND $rows AS row
MATCH (t:Transaction {id: row.id})
SET t.writeId = row.writeId
WITH t
WHERE t:AwaitedTransaction
RETURN t.id AS id
