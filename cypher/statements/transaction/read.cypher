// Transactions as they were given.
// $ids
// returns: id, record
UNWIND $ids AS id
MATCH (t:Transaction {id: id})
RETURN id, t.record AS record
