// Ends clearances: who has ended them, when and why stands beside what they were. The party is due to be screened.
// $rows: [{id, props: {…}, pending: [{id, name, actorId, submission, dueAt}], or []}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:ClearedMatch {id: row.id})
SET c += row.props
FOREACH (p IN row.pending | MERGE (pending:PendingScreening {id: p.id})
  SET pending.name = p.name, pending.actorId = p.actorId, pending.submission = p.submission, pending.tries = 0, pending.dueAt = p.dueAt)
