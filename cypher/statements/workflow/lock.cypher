// Makes sure that the workflows are there and locks them, so that of two that add the same one comes second.
// $rows: [{id, writeId}]
// returns: id, version (null for one that is new), record (null for those that are there from the start)
UNWIND $rows AS row
MERGE (w:Workflow {id: row.id})
SET w.writeId = row.writeId
RETURN w.id AS id, w.version AS version, w.record AS record
