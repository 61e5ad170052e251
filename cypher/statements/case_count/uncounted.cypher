// 100 of the cases that wait to be counted, locked until the transaction ends. The limit is in the text, and nothing is looked for before: else the embedded
// engine goes through all that wait.
// $writeId
// returns: id, standing: [countedAs (JSON; null: not counted yet), caseType, state, status, workflow, assignee (empty: nobody), createdAt,
//   closedAt (null: it is not closed)]
// allows: 10 because 100 are sorted, so that locks are taken in one order everywhere
MATCH (c:UncountedCase)
WITH c LIMIT 100
WITH c ORDER BY c.id
SET c.writeId = $writeId
RETURN c.id AS id, [c.countedAs, c.type, coalesce(c.state, ''), coalesce(c.status, ''), coalesce(c.workflowId, ''), coalesce(c.assigneeId, ''),
  c.createdAt, CASE WHEN c.state = 'CLOSED' THEN c.closedAt ELSE null END] AS standing
