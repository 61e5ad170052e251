// Takes actors out of groups.
// $rows: [{id (of the group), actors: [id]}]
// returns: nothing
UNWIND $rows AS row
UNWIND row.actors AS actor
MATCH (a:Actor {id: actor})-[m:MEMBER_OF]->(g:SegmentationGroup {id: row.id})
DELETE m
