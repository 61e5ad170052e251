// The order in which writes were acknowledged: a clock that ticks with each bulk request, and removals of memberships, which what was sent before them
// must not undo.
CREATE CONSTRAINT logical_clock_id IF NOT EXISTS FOR (n:LogicalClock) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT membership_removal_id IF NOT EXISTS FOR (n:MembershipRemoval) REQUIRE n.id IS UNIQUE;
MERGE (clock:LogicalClock {id: 'acknowledgement'})
ON CREATE SET clock.name = 'Order of acknowledgements', clock.time = 65536;
