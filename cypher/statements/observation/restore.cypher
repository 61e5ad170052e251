// Takes back that observations were dismissed. The dismissals are kept, with who took them back, when and why. An older program knows dismissals by other
// ids and may have dismissed one again: all of its dismissals end.
// $rows: [{id, restored: {until, restoredBy, restoreReason}}]
// returns: nothing
UNWIND $rows AS row
MATCH (o:Observation {id: row.id})
MATCH (o)<-[r:DISMISSES]-(x:ObservationDismissal)
SET x += row.restored
CREATE (x)-[:DISMISSED]->(o)
DELETE r
