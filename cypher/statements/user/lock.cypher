// Locks users and the names they are to come in by until the transaction ends. Who is not there, or but a placeholder, locks no name.
// $rows: [{id (of the name that is wanted, else the user's), user, names: [id of the name] or [], writeId}]
// returns: id, user (null where there is none), username, firstName, lastName, enabled, groups, holder (whose the wanted name is, or null)
UNWIND $rows AS row
OPTIONAL MATCH (u:User {id: row.user})
WHERE NOT u:Placeholder
FOREACH (found IN CASE WHEN u IS NULL THEN [] ELSE [u] END | SET found.writeId = row.writeId)
FOREACH (wanted IN CASE WHEN u IS NULL THEN [] ELSE row.names END |
  MERGE (k:UniqueName {id: wanted}) ON CREATE SET k.name = wanted SET k.writeId = row.writeId)
WITH row, u
OPTIONAL MATCH (k:UniqueName {id: row.id})
RETURN row.id AS id, u.id AS user, u.username AS username, u.firstName AS firstName, u.lastName AS lastName, u.enabled AS enabled,
  u.groups AS groups, k.holder AS holder
