// Takes away what a transaction was linked to by its former record.
// $rows: [{id}]
// returns: nothing
UNWIND $rows AS row
MATCH (t:Transaction {id: row.id})-[old:SENT|RECEIVED_BY|OWNED_BY|USED|CONNECTED_FROM|AT|INVOLVES]-(other)
DELETE old
