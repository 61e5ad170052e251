// Takes actors out of groups, and notes when: who was sent before in bulk does not come back. Also for actors that have not come yet. That an actor was
// in a group is kept, with the time and who ended it.
// $rows: [{id (of the group), removals: [{id (of both), actor}], at, by (a name), byId}]
// returns: nothing
UNWIND $rows AS row
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
WITH row, clock.time AS time
UNWIND row.removals AS removal
MERGE (x:MembershipRemoval {id: removal.id})
SET x.name = 'Removal of ' + removal.actor, x.actorId = removal.actor, x.groupId = row.id, x.logicalTime = time, x.removedAt = row.at
WITH row, removal
MATCH (a:Actor {id: removal.actor})-[m:MEMBER_OF]->(g:SegmentationGroup {id: row.id})
CREATE (a)-[:WAS_MEMBER_OF {since: m.since, by: m.by, byId: m.byId, until: CASE WHEN m.since > row.at THEN m.since ELSE row.at END, endedBy: row.by,
  endedById: row.byId}]->(g)
DELETE m
