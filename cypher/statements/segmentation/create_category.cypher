// Makes categories, whose names segmentation/prepare_category has locked.
// $rows: [{id, nameId, props: {name, description, type, createdAt, changedAt, createdBy, createdById, changedBy, changedById}}]
// returns: nothing
UNWIND $rows AS row
MATCH (k:UniqueName {id: row.nameId})
SET k.holder = row.id
MERGE (c:SegmentationCategory {id: row.id})
SET c += row.props
