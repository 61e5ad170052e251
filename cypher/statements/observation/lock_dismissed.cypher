// Locks observations until the transaction ends, with how they are dismissed. One that is not there has no row. One that older programs have dismissed twice
// has two, and one of both is told as what was taken back.
// $rows: [{id, writeId}]
// returns: id, record (null for a placeholder), dismissal (its id; null where it is not dismissed), reason, feedback
UNWIND $rows AS row
MATCH (o:Observation {id: row.id})
SET o.writeId = row.writeId
WITH o
OPTIONAL MATCH (o)<-[:DISMISSES]-(x:ObservationDismissal)
RETURN o.id AS id, o.record AS record, x.id AS dismissal, x.reason AS reason, x.feedback AS feedback
