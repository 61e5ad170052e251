// Locks groups until the transaction ends, and tells whether an actor is there and owns the group.
// $rows: [{id (of both), actor, group, writeId}]
// returns: id, group (null where there is none), actor (null where there is none, or but a placeholder), owns
UNWIND $rows AS row
OPTIONAL MATCH (g:SegmentationGroup {id: row.group})
FOREACH (found IN CASE WHEN g IS NULL THEN [] ELSE [g] END | SET found.writeId = row.writeId)
WITH row, g
OPTIONAL MATCH (a:Actor {id: row.actor})
WHERE NOT a:Placeholder
OPTIONAL MATCH (a)-[o:OWNS_GROUP]->(g)
RETURN row.id AS id, g.id AS group, a.id AS actor, o IS NOT NULL AS owns
