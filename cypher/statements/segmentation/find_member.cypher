// Tells whether actors and groups are there that are to be brought together. Neither is ever removed, so that nothing has to be locked.
// $rows: [{id (of both), actor, group}]
// returns: id, actor (null where there is none, or but a placeholder), group (null where there is none)
UNWIND $rows AS row
OPTIONAL MATCH (a:Actor {id: row.actor})
WHERE NOT a:Placeholder
OPTIONAL MATCH (g:SegmentationGroup {id: row.group})
RETURN row.id AS id, a.id AS actor, g.id AS group
