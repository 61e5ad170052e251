// What people do with observations of cases, and when requests for data are due. `overdueAt` is there while a request is open, so that its index
// has those alone.
CREATE CONSTRAINT observation_action_id IF NOT EXISTS FOR (n:ObservationAction) REQUIRE n.id IS UNIQUE;
CREATE INDEX request_for_data_created_at IF NOT EXISTS FOR (n:RequestForData) ON (n.createdAt);
CREATE INDEX request_for_data_overdue_at IF NOT EXISTS FOR (n:RequestForData) ON (n.overdueAt);
MATCH (q:RequestForData) WHERE q.dueAt IS NULL SET q.dueAt = q.createdAt + 259200000;
MATCH (q:RequestForData) WHERE q.status = 'REQUESTED' AND q.overdueAt IS NULL SET q.overdueAt = q.dueAt;
