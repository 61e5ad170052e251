// Part of actor/record and actor/record_newer: the record, acknowledged at a time, becomes the present of its actor n.
SET n += row.props, n.logicalTime = time
// Whoever has no score comes behind all that have one.
SET n.riskScoreOrder = coalesce(n.riskScoreParts, -9100000000000000000)
REMOVE n:Placeholder, n:Individual, n:LegalEntity
FOREACH (_ IN CASE WHEN row.kind = 'INDIVIDUAL' THEN [1] ELSE [] END | SET n:Individual)
FOREACH (_ IN CASE WHEN row.kind = 'LEGAL_ENTITY' THEN [1] ELSE [] END | SET n:LegalEntity)
// What the actor is screened by has changed, or is new: the actor waits to be screened, as of this write.
FOREACH (s IN row.screenings | FOREACH (_ IN CASE WHEN n.screenedFacts = s.facts THEN [] ELSE [1] END |
  SET n.screenedFacts = s.facts
  MERGE (pending:PendingScreening {id: row.id})
  SET pending.name = s.name, pending.actorId = row.id, pending.submission = s.submission, pending.tries = 0, pending.dueAt = s.dueAt))
