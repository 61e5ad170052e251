// Locks groups and the names they are to have until the transaction ends. One that is not there locks no name.
// $rows: [{id (of the name that is wanted, else the group's), group, names: [id of the name] or [], writeId}]
// returns: id, subject (the group's id; null where it is not there), name, description, holder (whose the wanted name is, or null)
UNWIND $rows AS row
OPTIONAL MATCH (g:SegmentationGroup {id: row.group})
FOREACH (found IN CASE WHEN g IS NULL THEN [] ELSE [g] END | SET found.writeId = row.writeId)
FOREACH (wanted IN CASE WHEN g IS NULL THEN [] ELSE row.names END |
  MERGE (k:UniqueName {id: wanted}) ON CREATE SET k.name = wanted SET k.writeId = row.writeId)
WITH row, g
OPTIONAL MATCH (k:UniqueName {id: row.id})
RETURN row.id AS id, g.id AS subject, CASE WHEN g IS NULL THEN null ELSE g.name END AS name, g.description AS description, k.holder AS holder
