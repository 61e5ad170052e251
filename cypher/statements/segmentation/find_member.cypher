// Tells whether actors and groups are there that are to be brought together, and when the actor was last taken out of the group. Locks the groups until
// the transaction ends, so that this stays true.
// $rows: [{id (of both), actor, group, writeId}]
// returns: id, actor (null where there is none, or but a placeholder), group (null where there is none), removedTime (when the removal was acknowledged, or
//   null)
UNWIND $rows AS row
OPTIONAL MATCH (a:Actor {id: row.actor})
WHERE NOT a:Placeholder
OPTIONAL MATCH (g:SegmentationGroup {id: row.group})
FOREACH (found IN CASE WHEN g IS NULL THEN [] ELSE [g] END | SET found.writeId = row.writeId)
WITH row, a, g
OPTIONAL MATCH (removal:MembershipRemoval {id: row.id})
RETURN row.id AS id, a.id AS actor, g.id AS group, removal.logicalTime AS removedTime
