// Locks channel locations that are there until the transaction ends.
// $rows: [{id, writeId}]
// returns: id, record
UNWIND $rows AS row
MATCH (n:ChannelLocation {id: row.id})
SET n.writeId = row.writeId
RETURN n.id AS id, n.record AS record
