// The order in which writes were acknowledged: a clock that ticks with each bulk request, and removals of memberships, which what was sent before them
// must not undo.
CREATE CONSTRAINT logical_clock_id IF NOT EXISTS FOR (n:LogicalClock) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT membership_removal_id IF NOT EXISTS FOR (n:MembershipRemoval) REQUIRE n.id IS UNIQUE;
MERGE (clock:LogicalClock {id: 'acknowledgement'})
ON CREATE SET clock.name = 'Order of acknowledgements', clock.time = 65536;
// What waits since before has its place by the time of day. So has, from here on, what it is about, which may have come later.
MATCH (i:DeferredItem)
WHERE i.logicalTime IS NULL
MATCH (t:Transaction {id: i.subject})
WHERE t.logicalTime IS NULL AND t.recordedAt IS NOT NULL
SET t.logicalTime = t.recordedAt - 9007199254740992;
MATCH (i:DeferredItem)
WHERE i.logicalTime IS NULL
MATCH (o:Observation {id: i.subject})
WHERE o.logicalTime IS NULL AND o.recordedAt IS NOT NULL
SET o.logicalTime = o.recordedAt - 9007199254740992;
