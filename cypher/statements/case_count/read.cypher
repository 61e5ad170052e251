// Up to 10,000 counts of cases, and up to 2,000 cases that wait to be counted: together all cases there are. They go together where the number of the counting
// is even, and the same before and after; else counts were being changed while they were read. Both sub-queries take what was read first, and the last MATCH its
// id from what was read since, so that nothing is read in another order. The limits are in the text because the embedded engine would go through all that wait
// for a parameter. On Neo4j nothing may be left of a count that is being forgotten: then something stands for null, so that the row can be read, and is seen not
// to go together. There is no row where nothing was counted yet.
// $grain: which counts (ALL; by day: CREATED, CLOSED), $from and $to: the first and the last of those that are wanted
// returns: before, after (the number of the counting, at first and at last),
//   counts: [caseType, state, status, workflow, assignee (empty: nobody; always by day), day, count],
//   waiting: [countedAs (JSON; null: not counted yet), caseType, state, status, workflow, assignee, createdAt, closedAt (null: it is not closed)]
MATCH (k:CaseCounting {id: 'cases'})
WITH k.number AS before
CALL {
  WITH before
  MATCH (n:CaseCount)
  WHERE n.grain = $grain AND n.day >= $from AND n.day <= $to
  WITH n LIMIT 10000
  RETURN collect([coalesce(n.caseType, ''), coalesce(n.state, ''), coalesce(n.status, ''), coalesce(n.workflowId, ''), coalesce(n.assigneeId, ''),
    coalesce(n.day, 0), coalesce(n.count, 0)]) AS counts
}
CALL {
  WITH before
  MATCH (c:UncountedCase)
  WITH c LIMIT 2000
  RETURN collect([c.countedAs, c.type, coalesce(c.state, ''), coalesce(c.status, ''), coalesce(c.workflowId, ''), coalesce(c.assigneeId, ''),
    c.createdAt, CASE WHEN c.state = 'CLOSED' THEN c.closedAt ELSE null END]) AS waiting
}
WITH before, counts, waiting, CASE WHEN size(counts) + size(waiting) < 0 THEN '' ELSE 'cases' END AS counting
MATCH (l:CaseCounting {id: counting})
RETURN before, l.number AS after, counts, waiting
