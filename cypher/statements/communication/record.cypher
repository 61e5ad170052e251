// Describes communications, unless what was acknowledged later has described them; what only others had named becomes known. No two rows are about one
// communication. (The label that it has already is a lock.)
// $rows: [{id, logicalTime (null: that of the clock), fields: {…}}]
// returns: nothing
UNWIND $rows AS row
MERGE (m:Communication {id: row.id})
SET m:Communication
WITH m, row
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
WITH m, row, coalesce(row.logicalTime, clock.time) AS time, m.logicalTime AS former
WHERE former IS NULL OR former <= time
SET m += row.fields, m.logicalTime = time
REMOVE m:Placeholder
