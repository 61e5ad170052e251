// Locks observations until the transaction ends. One that is not there has no row.
// $rows: [{id, writeId}]
// returns: id, record (null for a placeholder)
UNWIND $rows AS row
MATCH (o:Observation {id: row.id})
SET o.writeId = row.writeId
RETURN o.id AS id, o.record AS record
