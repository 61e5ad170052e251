// Takes back that observations were dismissed. The dismissals are kept, with who took them back, when and why.
// $rows: [{id, restored: {until, restoredBy, restoreReason}}]
// returns: nothing
UNWIND $rows AS row
MATCH (o:Observation {id: row.id})
MATCH (o)<-[r:DISMISSES]-(x:ObservationDismissal)
SET x += row.restored
CREATE (x)-[:DISMISSED]->(o)
DELETE r
