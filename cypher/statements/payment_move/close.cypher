// Everything was moved: the note goes.
// $rows: [{account}]
// returns: nothing
UNWIND $rows AS row
MATCH (m:PaymentMove {id: row.account})
DETACH DELETE m
