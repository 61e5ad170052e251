// Locks observations until the transaction ends, with how they were dismissed. One that is not there has no row.
// $rows: [{id, writeId, dismissal (the id that its dismissal has)}]
// returns: id, record (null for a placeholder), dismissedAt (epoch milliseconds, or null)
UNWIND $rows AS row
MATCH (o:Observation {id: row.id})
SET o.writeId = row.writeId
WITH o, row.dismissal AS dismissal
OPTIONAL MATCH (x:ObservationDismissal {id: dismissal})
RETURN o.id AS id, o.record AS record, x.createdAt AS dismissedAt
