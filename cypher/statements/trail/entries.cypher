// Audit entries of a time range, newest first, from a place on. Filters are optional.
// $from, $until: epoch milliseconds, both included; $untilId: of what happened at that moment only what comes behind this id, or null;
// $caseId, $logType: text or null; $skip, $limit
// returns: entry (a map)
MATCH (a:AuditEntry)
WHERE a.timestamp >= $from AND a.timestamp <= $until
  AND (a.timestamp < $until OR $untilId IS NULL OR a.id < $untilId)
  AND ($caseId IS NULL OR a.caseId = $caseId) AND ($logType IS NULL OR a.logType = $logType)
WITH a ORDER BY a.timestamp DESC, a.id DESC
SKIP $skip LIMIT $limit
RETURN {id: a.id, timestamp: a.timestamp, action: a.action, domain: a.domain, logType: a.logType, objectType: a.objectType, objectId: a.objectId,
    caseId: a.caseId, userId: a.userId, userName: a.userName, userRole: a.userRole, means: a.means, userIP: a.userIP, requestId: a.requestId,
    notes: a.notes, oldValue: a.oldValue, newValue: a.newValue, actionResult: a.actionResult} AS entry
