// Part of all that brings a case `c` to a step `s`, at a time: since when it is there, until when it has to leave, when it was closed, and in which queue
// it is (the state, a slash, the assignee or nobody). What lists are ordered by is never null: without a due time a case comes behind all that have one.
// Its place among the counts of cases is another now: it waits to be counted.
WITH c, s, at, CASE WHEN s.dueWithin IS NULL OR s.state = 'CLOSED' THEN null ELSE at + s.dueWithin * 1000 END AS due,
  CASE WHEN s.state = 'CLOSED' THEN at ELSE null END AS closed, s.state + '/' + coalesce(c.assigneeId, '') AS queue
SET c.stepSince = at, c.dueAt = due, c.dueOrder = coalesce(due, 9007199254740991), c.closedAt = closed, c.closedOrder = coalesce(closed, 0),
  c.queue = queue, c:UncountedCase
