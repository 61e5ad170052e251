// Changes groups, which segmentation/lock_group has locked with the names they are to have.
// $rows: [{id, props: {…}, claimed: [id of the new name] or [], released: [id of the former name] or []}]
// allows: 16 because what one row gives up no other of its transaction claims: it was not free when they were decided
// returns: nothing
UNWIND $rows AS row
MATCH (g:SegmentationGroup {id: row.id})
SET g += row.props
FOREACH (name IN row.claimed | MERGE (k:UniqueName {id: name}) SET k.holder = row.id)
FOREACH (name IN row.released | MERGE (k:UniqueName {id: name}) SET k.holder = null)
