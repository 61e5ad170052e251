// Appends what happened: one audit entry for each row and its events, which wait in the outbox for delivery.
// $rows: [{audit: {id, name, …}, events: [{id, name, …}]}]
// returns: nothing
UNWIND $rows AS row
CREATE (a:AuditEntry {id: row.audit.id})
SET a += row.audit
FOREACH (event IN row.events | CREATE (e:Event {id: event.id}) SET e += event)
