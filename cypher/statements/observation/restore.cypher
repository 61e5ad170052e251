// Takes back that observations were dismissed. The dismissals are kept, with who took them back, when and why.
// $rows: [{id, dismissal (its id), restored: {until, restoredBy, restoreReason}}]
// returns: nothing
UNWIND $rows AS row
MATCH (x:ObservationDismissal {id: row.dismissal})-[r:DISMISSES]->(o:Observation {id: row.id})
SET x += row.restored
CREATE (x)-[:DISMISSED]->(o)
DELETE r
