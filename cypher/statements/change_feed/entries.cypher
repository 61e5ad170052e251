// Audit entries by their ids, for the change feed. What was written of the record, and what it replaced, where that is asked for.
// $ids, $values: true or false
// returns: entry (a map)
UNWIND $ids AS id
MATCH (a:AuditEntry {id: id})
RETURN {id: a.id, timestamp: a.timestamp, action: a.action, domain: a.domain, logType: a.logType, objectType: a.objectType, objectId: a.objectId,
    caseId: a.caseId, userId: a.userId, userName: a.userName, userRole: a.userRole, means: a.means, userIP: a.userIP, requestId: a.requestId,
    notes: a.notes, oldValue: CASE WHEN $values THEN a.oldValue ELSE null END, newValue: CASE WHEN $values THEN a.newValue ELSE null END,
    actionResult: a.actionResult} AS entry
