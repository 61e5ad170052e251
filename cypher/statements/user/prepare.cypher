// Locks the names that users are to come in by, so that of two that want the same name one comes second, and tells who is there by these ids.
// $rows: [{id (of the name), user, writeId}]
// returns: id, holder (whose name it is, or null), user (the id of one who is known; null where there is none, or but a placeholder)
UNWIND $rows AS row
MERGE (k:UniqueName {id: row.id})
ON CREATE SET k.name = row.id
SET k.writeId = row.writeId
WITH row, k
OPTIONAL MATCH (u:User {id: row.user})
WHERE NOT u:Placeholder
RETURN row.id AS id, k.holder AS holder, u.id AS user
