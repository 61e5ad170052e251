// Puts actors into groups. Who is in one already stays as he is there; who was in one before is there again from when he left it, at the earliest.
// $rows: [{id (of the group), actors: [id], at, by (the name of who adds them), byId}]
// returns: nothing
UNWIND $rows AS row
MATCH (g:SegmentationGroup {id: row.id})
UNWIND row.actors AS actor
MATCH (a:Actor {id: actor})
OPTIONAL MATCH (a)-[former:WAS_MEMBER_OF]->(g)
WITH a, g, row.at AS at, row.by AS addedBy, row.byId AS addedById, max(former.until) AS ended
MERGE (a)-[m:MEMBER_OF]->(g)
ON CREATE SET m.since = CASE WHEN ended > at THEN ended ELSE at END, m.by = addedBy, m.byId = addedById
