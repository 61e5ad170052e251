// Locks the names that groups are to have in their categories, so that of two that want the same name one comes second. Where the category is not
// there, no name is locked.
// $rows: [{id (of the name), category, writeId}]
// returns: id, holder (whose name it is, or null), ready (whether the category is there)
UNWIND $rows AS row
OPTIONAL MATCH (c:SegmentationCategory {id: row.category})
FOREACH (found IN CASE WHEN c IS NULL THEN [] ELSE [row.id] END |
  MERGE (k:UniqueName {id: found}) ON CREATE SET k.name = found SET k.writeId = row.writeId)
WITH row, c
OPTIONAL MATCH (k:UniqueName {id: row.id})
RETURN row.id AS id, k.holder AS holder, c IS NOT NULL AS ready
