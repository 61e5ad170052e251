// Puts actors into groups. Who is in one already stays as he is there.
// $rows: [{id (of the group), actors: [id], at, by}]
// returns: nothing
UNWIND $rows AS row
MATCH (g:SegmentationGroup {id: row.id})
UNWIND row.actors AS actor
MATCH (a:Actor {id: actor})
MERGE (a)-[m:MEMBER_OF]->(g)
ON CREATE SET m.since = row.at, m.by = row.by
