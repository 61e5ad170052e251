// When transactions that are there were acknowledged. Nothing is locked: these times only grow.
// $ids
// returns: id, logicalTime (null where an older program wrote it, and where an observation has only named it)
UNWIND $ids AS id
MATCH (t:Transaction {id: id})
RETURN id, t.logicalTime AS logicalTime
