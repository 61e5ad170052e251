// Locks the names that users are to come in by, so that of two that want the same name one comes second, and tells who is there by these ids. Who is there
// already locks no name.
// $rows: [{id (of the name), user, writeId}]
// returns: id, holder (whose name it is, or null), user (the id of one who is known; null where there is none, or but a placeholder)
UNWIND $rows AS row
OPTIONAL MATCH (u:User {id: row.user})
WHERE NOT u:Placeholder
FOREACH (wanted IN CASE WHEN u IS NULL THEN [row.id] ELSE [] END |
  MERGE (k:UniqueName {id: wanted}) ON CREATE SET k.name = wanted SET k.writeId = row.writeId)
WITH row, u.id AS known
OPTIONAL MATCH (v:User {id: row.user})
WHERE NOT v:Placeholder
OPTIONAL MATCH (k:UniqueName {id: row.id})
RETURN row.id AS id, k.holder AS holder, coalesce(known, v.id) AS user
