// Locks the names that categories are to have, so that of two that want the same name one comes second.
// $rows: [{id (of the name), writeId}]
// returns: id, holder (whose name it is, or null), ready (true: nothing else has to be there)
UNWIND $rows AS row
MERGE (k:UniqueName {id: row.id})
ON CREATE SET k.name = row.id
SET k.writeId = row.writeId
RETURN k.id AS id, k.holder AS holder, true AS ready
