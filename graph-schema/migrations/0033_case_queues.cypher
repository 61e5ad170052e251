// What queues of cases are filtered and ordered by, also of cases that are there already, as far as the audit log knows it. Who made a case whose entry is
// not there stays unknown, and so does when one was closed. A case that went back to a step because a request for data was rejected counts from the move
// before that. A request moves a case unless it waits for another one already. None was due. A case is locked before it is looked at, as somebody may move it
// meanwhile.
MATCH (e:AuditEntry)
WHERE e.id > $after
WITH e ORDER BY e.id LIMIT 50000
WITH e.id AS id, e.objectId AS object, e.userId AS author, e.timestamp AS at, CASE WHEN e.actionResult <> 'SUCCESS' THEN ''
  WHEN e.action = 'case.data.requested' AND EXISTS { MATCH (w:`Case` {id: e.objectId})<-[:ABOUT]-(q:RequestForData)
    WHERE q.createdAt < e.timestamp AND coalesce(q.endedAt, e.timestamp) >= e.timestamp } THEN '' ELSE e.action END AS action
WITH max(id) AS last, collect(CASE WHEN at IS NULL THEN null WHEN action = 'case.created' THEN [object, author, null]
  WHEN action IN ['case.workflow.actioned', 'case.data.requested'] THEN [object, null, at] ELSE null END) AS entries
WITH last, entries + [['', null, null]] AS entries
UNWIND entries AS entry
WITH last, entry[0] AS id, collect(entry[1]) AS authors, max(entry[2]) AS moved
OPTIONAL MATCH (c:`Case` {id: id})
WITH last, authors, moved, c
FOREACH (known IN CASE WHEN c IS NULL THEN [] ELSE [c] END | SET known.writeId = '0033_case_queues')
WITH last, authors, moved, c, c.createdBy AS creator, c.stepSince AS former
WITH last, c, creator, former, coalesce(creator, authors[0]) AS author, CASE WHEN former IS NULL OR moved > former THEN moved ELSE former END AS since
WITH last, c, author, since, (creator IS NULL AND author IS NOT NULL) OR (since IS NOT NULL AND since <> coalesce(former, -1)) AS differs
FOREACH (known IN CASE WHEN c IS NULL OR NOT differs THEN [] ELSE [c] END | SET known.createdBy = author, known.stepSince = since)
RETURN max(last) AS last;
MATCH (c:`Case`)
WHERE c.id > $after
WITH c ORDER BY c.id LIMIT 10000
CALL {
  WITH c
  MATCH (c)-[:FOCUSES_ON]->(a:Actor)
  RETURN collect(a.riskBand) AS bands
}
WITH c, c.id AS id, bands, c.stepSince AS moved, coalesce(c.stepSince, c.recordedAt, c.createdAt) AS since, c.state AS state, c.queue AS former,
  c.state + '/' + coalesce(c.assigneeId, '') AS queue
WITH c, id, bands, since, state, queue, former, CASE WHEN state = 'CLOSED' THEN moved ELSE null END AS closed
FOREACH (known IN CASE WHEN state IS NULL OR former IS NOT NULL THEN [] ELSE [c] END |
  SET known.stepSince = since, known.closedAt = closed, known.closedOrder = coalesce(closed, 0), known.dueOrder = 9007199254740991, known.queue = queue,
    known.riskOrder = CASE WHEN 'high_risk' IN bands THEN 3 WHEN 'medium_risk' IN bands THEN 2 WHEN 'low_risk' IN bands THEN 1 ELSE 0 END)
RETURN max(id) AS last;
CREATE INDEX case_due_order IF NOT EXISTS FOR (n:`Case`) ON (n.dueOrder);
CREATE INDEX case_step_since IF NOT EXISTS FOR (n:`Case`) ON (n.stepSince);
CREATE INDEX case_closed_order IF NOT EXISTS FOR (n:`Case`) ON (n.closedOrder);
CREATE INDEX case_risk_order IF NOT EXISTS FOR (n:`Case`) ON (n.riskOrder);
CREATE INDEX request_for_data_due_at IF NOT EXISTS FOR (n:RequestForData) ON (n.dueAt);
CREATE INDEX case_queue_created_at IF NOT EXISTS FOR (n:`Case`) ON (n.queue, n.createdAt);
CREATE INDEX case_queue_updated_at IF NOT EXISTS FOR (n:`Case`) ON (n.queue, n.updatedAt);
CREATE INDEX case_queue_due_order IF NOT EXISTS FOR (n:`Case`) ON (n.queue, n.dueOrder);
CREATE INDEX case_queue_step_since IF NOT EXISTS FOR (n:`Case`) ON (n.queue, n.stepSince);
CREATE INDEX case_queue_closed_order IF NOT EXISTS FOR (n:`Case`) ON (n.queue, n.closedOrder);
CREATE INDEX case_queue_risk_order IF NOT EXISTS FOR (n:`Case`) ON (n.queue, n.riskOrder);
CREATE INDEX case_state_created_at IF NOT EXISTS FOR (n:`Case`) ON (n.state, n.createdAt);
CREATE INDEX case_state_updated_at IF NOT EXISTS FOR (n:`Case`) ON (n.state, n.updatedAt);
CREATE INDEX case_state_due_order IF NOT EXISTS FOR (n:`Case`) ON (n.state, n.dueOrder);
CREATE INDEX case_state_step_since IF NOT EXISTS FOR (n:`Case`) ON (n.state, n.stepSince);
CREATE INDEX case_state_closed_order IF NOT EXISTS FOR (n:`Case`) ON (n.state, n.closedOrder);
CREATE INDEX case_state_risk_order IF NOT EXISTS FOR (n:`Case`) ON (n.state, n.riskOrder);
