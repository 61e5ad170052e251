// Part of actor/record_newer: its end.
WITH row, former, row.audit AS entry
CREATE (a:AuditEntry {id: entry.id, name: entry.name, timestamp: entry.timestamp, action: entry.action, domain: entry.domain,
  logType: entry.logType, objectType: entry.objectType, objectId: entry.objectId, caseId: entry.caseId, userId: entry.userId,
  userName: entry.userName, userRole: entry.userRole, means: entry.means, userIP: entry.userIP, requestId: entry.requestId, notes: entry.notes,
  oldValue: former, newValue: CASE WHEN former IS NULL THEN entry.newValue ELSE row.version.record END, actionResult: entry.actionResult})
FOREACH (key IN row.keys | CREATE (k:IdempotencyKey {id: key.id, name: 'Idempotency key', bodyHash: key.bodyHash, answer: key.answer,
  createdAt: key.createdAt}))
WITH collect(row.writeId) AS written
