// 500 of the cases that wait to be counted, locked until the transaction ends. None where another fold has begun: of two folds the later one alone does
// anything. The limit is in the text because the embedded engine would go through all that wait for a parameter.
// $number: the fold's, $writeId
// returns: id, standing: [countedAs (JSON; null: not counted yet), caseType, state, status, workflow, assignee (empty: nobody), createdAt,
//   closedAt (null: it is not closed)]
// allows: 10 because 500 are sorted, so that locks are taken in one order everywhere
MATCH (k:CaseCounting {id: 'cases'})
SET k.writeId = $writeId
WITH k
WHERE k.number = $number
MATCH (c:UncountedCase)
WITH c LIMIT 500
WITH c ORDER BY c.id
SET c.writeId = $writeId
RETURN c.id AS id, [c.countedAs, c.type, coalesce(c.state, ''), coalesce(c.status, ''), coalesce(c.workflowId, ''), coalesce(c.assigneeId, ''),
  c.createdAt, CASE WHEN c.state = 'CLOSED' THEN c.closedAt ELSE null END] AS standing
