// What a transaction leaves behind: audit entries, events that wait to be told, idempotency keys with their answers, and the set of its changes, which
// gets its position in the change feed after the commit. Stands by itself, and at the
// end of every write statement. All fields are in the CREATE itself, null or not: the embedded engine is slow with what is set afterwards, and with
// nodes that are not all alike.
// $entries: [{id, name, timestamp, action, domain, logType, objectType, objectId, caseId, userId, userName, userRole, means, userIP, requestId,
//   notes, oldValue, newValue, actionResult}], $events: [{id, name, caseId, sequence, createdAt, data}], $keys: [{id, bodyHash, answer, createdAt}],
//   $changeSets: [{id, stamp, createdAt, entries: ids of audit entries, events: ids of events}]: one, or none where nothing was changed. Ids stand in one text,
//   spaces between them: the embedded engine copies a column of lists, as long as it is, at each commit that adds to it
// returns: nothing
FOREACH (entry IN $entries | CREATE (a:AuditEntry {id: entry.id, name: entry.name, timestamp: entry.timestamp, action: entry.action,
  domain: entry.domain, logType: entry.logType, objectType: entry.objectType, objectId: entry.objectId, caseId: entry.caseId,
  userId: entry.userId, userName: entry.userName, userRole: entry.userRole, means: entry.means, userIP: entry.userIP,
  requestId: entry.requestId, notes: entry.notes, oldValue: entry.oldValue, newValue: entry.newValue, actionResult: entry.actionResult}))
FOREACH (event IN $events | CREATE (e:Event:Pending {id: event.id, name: event.name, caseId: event.caseId, sequence: event.sequence,
  createdAt: event.createdAt, data: event.data}))
FOREACH (key IN $keys | CREATE (k:IdempotencyKey {id: key.id, name: 'Idempotency key', bodyHash: key.bodyHash, answer: key.answer,
  createdAt: key.createdAt}))
FOREACH (made IN $changeSets | CREATE (c:ChangeSet:Unsequenced {id: made.id, name: 'Change set', stamp: made.stamp, createdAt: made.createdAt,
  entries: made.entries, events: made.events, position: null}))
