// Clears pairs of a party and a list's entry. A clearance of the same pair that still counts ends with it; it is kept. The party waits to be screened again
// when the clearance is over.
// $rows: [{id, pair, props: {…}, ending: {…} (of clearances that still count), actors: [id], or [] where the party is no actor,
//   pending: [{id, name, actorId, submission, dueAt}], or []}]
// returns: nothing
UNWIND $rows AS row
// Locks the actor: of two who clear the same pair at once the second sees the clearance of the first.
FOREACH (id IN row.actors | MERGE (locked:Actor {id: id}) ON CREATE SET locked:Placeholder, locked.name = id SET locked.writeId = row.id)
WITH row
OPTIONAL MATCH (f:ClearedMatch)
WHERE f.pair = row.pair
WITH row, collect(CASE WHEN f.endedAt IS NULL AND f.until > row.props.clearedAt THEN f ELSE null END) AS former
FOREACH (ended IN former | SET ended += row.ending)
CREATE (c:ClearedMatch {id: row.id})
SET c += row.props
FOREACH (id IN row.actors | MERGE (a:Actor {id: id}) CREATE (c)-[:CLEARED_FOR]->(a))
FOREACH (p IN row.pending | MERGE (pending:PendingScreening {id: p.id})
  SET pending.name = p.name, pending.actorId = p.actorId, pending.submission = p.submission, pending.tries = 0, pending.dueAt = p.dueAt)
