// Up to 10,000 counts of cases, and up to 2,000 cases that wait to be counted: together all cases there are. They go together where the number of the counting
// is even, and the same before and after; else counts were being changed while they were read. The last MATCH takes its id from what was read, so that nothing
// plans it sooner. The limits are in the text because the embedded engine would go through all that wait for a parameter. There is no row where nothing was
// counted yet.
// $grain: which counts (ALL; by day: CREATED, CLOSED), $from and $to: the first and the last of those that are wanted
// returns: before, after (the number of the counting, at first and at last),
//   counts: [caseType, state, status, workflow, assignee (empty: nobody), day, count],
//   waiting: [countedAs (JSON; null: not counted yet), caseType, state, status, workflow, assignee, createdAt, closedAt (null: it is not closed)]
MATCH (k:CaseCounting {id: 'cases'})
WITH k.number AS before
CALL {
  MATCH (n:CaseCount)
  WHERE n.grain = $grain AND n.day >= $from AND n.day <= $to
  WITH n LIMIT 10000
  RETURN collect([n.caseType, n.state, n.status, n.workflowId, n.assigneeId, n.day, n.count]) AS counts
}
CALL {
  MATCH (c:UncountedCase)
  WITH c LIMIT 2000
  RETURN collect([c.countedAs, c.type, coalesce(c.state, ''), coalesce(c.status, ''), coalesce(c.workflowId, ''), coalesce(c.assigneeId, ''),
    c.createdAt, CASE WHEN c.state = 'CLOSED' THEN c.closedAt ELSE null END]) AS waiting
}
WITH before, counts, waiting, CASE WHEN size(counts) + size(waiting) < 0 THEN '' ELSE 'cases' END AS counting
MATCH (l:CaseCounting {id: counting})
RETURN before, l.number AS after, counts, waiting
