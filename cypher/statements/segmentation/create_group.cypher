// Makes groups, whose names segmentation/prepare_group has locked.
// $rows: [{id, nameId, category, props: {name, description, categoryId, createdAt, changedAt, createdBy, createdById, changedBy, changedById}}]
// returns: nothing
UNWIND $rows AS row
MATCH (k:UniqueName {id: row.nameId})
MATCH (c:SegmentationCategory {id: row.category})
SET k.holder = row.id
MERGE (g:SegmentationGroup {id: row.id})
SET g += row.props
MERGE (g)-[:IN_CATEGORY]->(c)
