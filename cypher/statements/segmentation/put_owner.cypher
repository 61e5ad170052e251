// Makes actors owners of groups.
// $rows: [{actor, group, at, by}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.actor})
MATCH (g:SegmentationGroup {id: row.group})
MERGE (a)-[o:OWNS_GROUP]->(g)
ON CREATE SET o.since = row.at, o.by = row.by
