// Makes sure the observations are there, at least as placeholders, and locks them until the transaction ends, so that what is read stays true.
// $rows: [{id, writeId}]
// returns: id, record (null for a placeholder), internalId (null for a placeholder), logicalTime (when it was acknowledged; null for a placeholder, and
//   where an older program wrote it), now (the clock's)
UNWIND $rows AS row
MERGE (o:Observation {id: row.id})
ON CREATE SET o:Placeholder, o.name = row.id
SET o.writeId = row.writeId
WITH o
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
RETURN o.id AS id, o.record AS record, o.internalId AS internalId, o.logicalTime AS logicalTime, clock.time AS now
