// Makes sure that bulk requests are there and locks them, so that of two that are the same one comes second.
// $rows: [{id, writeId}]
// returns: id, bodyHash (null for a request that is new)
UNWIND $rows AS row
MERGE (r:BulkRequest {id: row.id})
SET r.writeId = row.writeId
RETURN r.id AS id, r.bodyHash AS bodyHash
