// Locks cases to which observations are to be added, and those observations, until the transaction ends: whom they are about, and in which cases they are. A
// case that is not there has no row, and neither has one where none of the observations is there.
// $rows: [{id, writeId, observations: [id]}]
// returns: id, version, eventSequence, stepId, status, state, assignee, actions: [action] (that may be done now), fieldTimes (JSON: logical times by field), logicalTime (null: not known), clock,
//   observations: [id, known, handled (feedback, an action, dismissed), actors: [id, primary], cases: [id], linked: [id] (its actors that are the case's)]
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c.writeId = row.writeId
WITH c, row
MATCH (c)-[:AT_STEP]->(s:WorkflowStep)
UNWIND row.observations AS observation
MATCH (o:Observation {id: observation})
SET o.writeId = row.writeId
WITH c, s, o, EXISTS { MATCH (o)<-[:GIVEN_ON|TAKEN_ON|DISMISSES]-(act) } AS handled ORDER BY o.id
CALL {
  WITH o
  MATCH (o)-[r:ABOUT]->(a:Actor)
  WITH r, a ORDER BY a.id
  RETURN collect([a.id, r.primary]) AS actors
}
CALL {
  WITH o
  MATCH (o)<-[:RAISED_FROM]-(k:`Case`)
  WITH k ORDER BY k.id
  RETURN collect(k.id) AS cases
}
CALL {
  WITH c, o
  MATCH (o)-[:ABOUT]->(b:Actor)<-[:FOCUSES_ON|CONCERNS]-(c)
  RETURN collect(b.id) AS linked
}
WITH c, s, collect([o.id, o.record IS NOT NULL, handled, actors, cases, linked]) AS observations
CALL {
  WITH s
  MATCH (s)-[m:MAY_MOVE_TO]->(t:WorkflowStep)
  WITH m, t ORDER BY m.action
  RETURN collect(m.action) AS actions
}
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
RETURN c.id AS id, c.version AS version, c.eventSequence AS eventSequence, s.stepId AS stepId, s.status AS status, s.state AS state,
  c.assigneeId AS assignee, actions, c.fieldTimes AS fieldTimes, c.logicalTime AS logicalTime, clock.time AS clock, observations
