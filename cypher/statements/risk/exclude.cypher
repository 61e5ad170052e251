// Keeps an exclusion of an actor from monitoring, and which of the actor's exclusions counts: the one that was stored last, of these the one that came last.
// One without storedAt is of when it came, and behind the one that counts, where that is said to be of later.
// No two rows are about one actor.
// $rows: [{id (of the actor), exclusionId, exclusion: {name, exclusionType, storedAt (or null), recordedAt, comment}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
SET n.writeId = row.exclusionId
WITH n, row, row.exclusion AS e, n.exclusionId AS known, n.exclusionStoredAt AS storedAt, n.exclusionRecordedAt AS recordedAt
WITH n, row, e, known, storedAt, recordedAt,
  CASE WHEN e.storedAt IS NOT NULL THEN e.storedAt WHEN storedAt >= e.recordedAt THEN storedAt + 1 ELSE e.recordedAt END AS place
WITH n, row, e, place, known IS NULL OR place > storedAt OR (place = storedAt AND (e.recordedAt > recordedAt
  OR (e.recordedAt = recordedAt AND row.exclusionId > known))) AS counts
FOREACH (_ IN CASE WHEN counts THEN [1] ELSE [] END | SET n.exclusionType = e.exclusionType, n.exclusionStoredAt = place,
  n.exclusionRecordedAt = e.recordedAt, n.exclusionId = row.exclusionId)
CREATE (x:ActorExclusion {id: row.exclusionId, name: e.name, exclusionType: e.exclusionType, storedAt: place, recordedAt: e.recordedAt,
  comment: e.comment})
CREATE (x)<-[:HAS_EXCLUSION]-(n)
