// Takes the ownership of groups from actors.
// $rows: [{actor, group}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.actor})-[o:OWNS_GROUP]->(g:SegmentationGroup {id: row.group})
DELETE o
