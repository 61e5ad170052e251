// Makes actors owners of groups. Who was one before is one again from when that ended, at the earliest.
// $rows: [{actor, group, at, by (a name), byId}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.actor})
MATCH (g:SegmentationGroup {id: row.group})
OPTIONAL MATCH (a)-[former:OWNED_GROUP]->(g)
WITH a, g, row.at AS at, row.by AS addedBy, row.byId AS addedById, max(former.until) AS ended
MERGE (a)-[o:OWNS_GROUP]->(g)
ON CREATE SET o.since = CASE WHEN ended > at THEN ended ELSE at END, o.by = addedBy, o.byId = addedById
