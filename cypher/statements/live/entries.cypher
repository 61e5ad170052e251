// What changes were, by the ids of their audit entries: only what tells which topics they belong to, as all changes are looked at.
// $ids
// returns: id, action, objectId, caseId, userId, requestId, timestamp, notes, actionResult
UNWIND $ids AS id
MATCH (a:AuditEntry {id: id})
RETURN a.id AS id, a.action AS action, a.objectId AS objectId, a.caseId AS caseId, a.userId AS userId, a.requestId AS requestId,
  a.timestamp AS timestamp, a.notes AS notes, a.actionResult AS actionResult
