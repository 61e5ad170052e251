// What cases begin with that somebody raises from observations, and those observations, locked until the transaction ends: whom they are about, and in which
// cases they are. There is no row where the workflow is not there, or is for cases of another type, or where none of the observations is there.
// $rows: [{id, writeId, workflow, caseType, observations: [id]}]
// returns: id, isMade (whether the case is there), step (the first one's node), stepId, status, state,
//   observations: [id, known, handled (feedback, an action, dismissed), actors: [id, primary], cases: [id]]
UNWIND $rows AS row
MATCH (w:Workflow {id: row.workflow})-[:HAS_STEP]->(s:WorkflowStep)
WHERE s.position = 0 AND w.type = row.caseType
UNWIND row.observations AS observation
MATCH (o:Observation {id: observation})
SET o.writeId = row.writeId
WITH row.id AS id, s, o, EXISTS { MATCH (o)<-[:GIVEN_ON|TAKEN_ON|DISMISSES]-(act) } AS handled ORDER BY o.id
OPTIONAL MATCH (made:`Case` {id: id})
WITH id, s, o, handled, made IS NOT NULL AS isMade
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
RETURN id, isMade, s.id AS step, s.stepId AS stepId, s.status AS status, s.state AS state,
  collect([o.id, o.record IS NOT NULL, handled, actors, cases]) AS observations
