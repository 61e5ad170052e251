// Notes that observations were dismissed, by whom, when and why.
// $rows: [{id, dismissal (its id), props: {name, reason, userId, createdAt, observationId, feedback}}]
// returns: nothing
UNWIND $rows AS row
MATCH (o:Observation {id: row.id})
MERGE (x:ObservationDismissal {id: row.dismissal})
SET x += row.props
MERGE (x)-[:DISMISSES]->(o)
