// Ends clearances: who has ended them, when and why stands beside what they were. The party is due to be screened.
// The actor is locked before it waits: screening/drop_pending, which may remove the node that is found, locks it as well.
// $rows: [{id, props: {…}, pending: [{id, name, actorId, submission, dueAt}], or []}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:ClearedMatch {id: row.id})
SET c += row.props
FOREACH (p IN row.pending | MERGE (a:Actor {id: p.actorId}) ON CREATE SET a:Placeholder, a.name = p.actorId SET a.writeId = p.submission
  MERGE (pending:PendingScreening {id: p.id})
  SET pending.name = p.name, pending.actorId = p.actorId, pending.submission = p.submission, pending.tries = 0, pending.dueAt = p.dueAt)
