// Describes communications; what only others had named becomes known. Where what was acknowledged later has described one in part, only what that has
// left out is said; where it was as a whole, nothing. No two rows are about one communication. (The label that it has already is a lock.)
// $rows: [{id, logicalTime (null: that of the clock), fields: {name, communicationType, subject, content, metadata, customData, recordedAt, record}}]
// returns: nothing
UNWIND $rows AS row
MERGE (m:Communication {id: row.id})
SET m:Communication
WITH m, row
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
WITH m, row.fields AS fields, coalesce(row.logicalTime, clock.time) AS time, m.logicalTime AS former,
  CASE WHEN m.record IS NULL THEN null ELSE coalesce(m.recordTime, m.logicalTime) END AS whole
WITH m, fields, time, former IS NOT NULL AND former > time AS late, whole IS NULL OR whole <= time AS adds
WITH m, fields, time, late, late AND adds AS adds
FOREACH (_ IN CASE WHEN late THEN [] ELSE [1] END | SET m += fields, m.logicalTime = time)
FOREACH (_ IN CASE WHEN adds THEN [1] ELSE [] END | SET m.communicationType = coalesce(m.communicationType, fields.communicationType),
  m.name = CASE WHEN m.subject IS NULL THEN fields.name ELSE m.name END, m.content = coalesce(m.content, fields.content),
  m.metadata = coalesce(m.metadata, fields.metadata), m.customData = coalesce(m.customData, fields.customData),
  m.record = fields.record, m.recordedAt = fields.recordedAt)
FOREACH (_ IN CASE WHEN adds THEN [1] ELSE [] END | SET m.subject = coalesce(m.subject, fields.subject))
SET m.recordTime = CASE WHEN adds OR NOT late THEN time ELSE m.recordTime END
REMOVE m:Placeholder
