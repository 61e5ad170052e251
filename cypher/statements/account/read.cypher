// Accounts as they were given. Placeholders have no record.
// $ids
// returns: id, record
UNWIND $ids AS id
MATCH (n:Account {id: id})
RETURN id, n.record AS record
