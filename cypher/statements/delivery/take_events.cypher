// Takes events that wait, so that nobody else does: of some cases, each up to the one that was found. What was found by a look over all of them need
// not be the first that waits of its case: what is stored while the look goes on may be passed over, and an event's predecessor is stored before it.
// Where they are too many, those stay that come last in their case. By labels() they are found by their case: Neo4j would go through all that wait
// for each.
// $rows: [{caseId, sequence, writeId}]: one row a case; $most
// returns: id, eventName, caseId, sequence
UNWIND $rows AS row
MATCH (e:Event)
WHERE e.caseId = row.caseId AND e.sequence <= row.sequence AND 'Pending' IN labels(e)
WITH e, row.writeId AS writeId ORDER BY e.caseId, e.sequence, e.id LIMIT $most
SET e.writeId = writeId
WITH e
WHERE e:Pending
REMOVE e:Pending
RETURN e.id AS id, e.name AS eventName, e.caseId AS caseId, e.sequence AS sequence
