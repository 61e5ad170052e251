// Locks categories and the names they are to have until the transaction ends. One that is not there locks no name.
// $rows: [{id (of the name that is wanted, else the category's), category, names: [id of the name] or [], writeId}]
// returns: id, subject (the category's id; null where it is not there), name, description, holder (whose the wanted name is, or null)
UNWIND $rows AS row
OPTIONAL MATCH (c:SegmentationCategory {id: row.category})
FOREACH (found IN CASE WHEN c IS NULL THEN [] ELSE [c] END | SET found.writeId = row.writeId)
FOREACH (wanted IN CASE WHEN c IS NULL THEN [] ELSE row.names END |
  MERGE (k:UniqueName {id: wanted}) ON CREATE SET k.name = wanted SET k.writeId = row.writeId)
WITH row, c
OPTIONAL MATCH (k:UniqueName {id: row.id})
RETURN row.id AS id, c.id AS subject, CASE WHEN c IS NULL THEN null ELSE c.name END AS name, c.description AS description, k.holder AS holder
