// Takes actors out of groups, and notes when: who was sent before in bulk does not come back. Also for actors that have not come yet.
// $rows: [{id (of the group), removals: [{id (of both), actor}], at}]
// returns: nothing
UNWIND $rows AS row
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
WITH row, clock.time AS time
UNWIND row.removals AS removal
MERGE (x:MembershipRemoval {id: removal.id})
SET x.name = 'Removal of ' + removal.actor, x.actorId = removal.actor, x.groupId = row.id, x.logicalTime = time, x.removedAt = row.at
WITH row, removal
MATCH (a:Actor {id: removal.actor})-[m:MEMBER_OF]->(g:SegmentationGroup {id: row.id})
DELETE m
