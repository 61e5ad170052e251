// Makes sure that bulk requests are there and locks them, so that of two that are the same one comes second. (The label that one
// has already makes this fail where it was forgotten meanwhile, and it is tried again: Neo4j would set the property of what is gone without a word.)
// $rows: [{id, writeId}]
// returns: id, bodyHash (null for a request that is new)
UNWIND $rows AS row
MERGE (r:BulkRequest {id: row.id})
SET r:BulkRequest, r.writeId = row.writeId
RETURN r.id AS id, r.bodyHash AS bodyHash
