// Keeps signals that an exclusion or a snooze has kept from becoming observations. The same signal again is the same.
// $rows: [{id, actor, props: {…}}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.actor})
MERGE (s:SuppressedSignal {id: row.id})
SET s += row.props
MERGE (s)-[:SUPPRESSED_FOR]->(a)
