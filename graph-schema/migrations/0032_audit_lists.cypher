// Entries of the audit log by whom, about what, in which case or by which action, each in the order of time. An index has no entry for a node without the
// property: a payment is in three of the four, as it belongs to no case. Outcomes, types and kinds of entries have none: there are few of each.
CREATE INDEX audit_entry_object IF NOT EXISTS FOR (n:AuditEntry) ON (n.objectId, n.timestamp);
CREATE INDEX audit_entry_user IF NOT EXISTS FOR (n:AuditEntry) ON (n.userId, n.timestamp);
CREATE INDEX audit_entry_action IF NOT EXISTS FOR (n:AuditEntry) ON (n.action, n.timestamp);
CREATE INDEX audit_entry_case IF NOT EXISTS FOR (n:AuditEntry) ON (n.caseId, n.timestamp);
