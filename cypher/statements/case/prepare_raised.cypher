// The same as case/prepare for cases that are raised from observations, with whom the observations are about. An
// observation that is not there has no row, and makes no case.
// $rows: [{id, writeId, workflow, observation}]
// returns: id, record (null for a case that is new), step (the first one's node), stepId, status, state, actors: [id, primary]
UNWIND $rows AS row
MATCH (w:Workflow {id: row.workflow})-[:HAS_STEP]->(s:WorkflowStep)
WHERE s.position = 0
MATCH (o:Observation {id: row.observation})
MERGE (c:`Case` {id: row.id})
SET c.writeId = row.writeId
WITH c, s, o
CALL {
  WITH o
  MATCH (o)-[r:ABOUT]->(a:Actor)
  WITH r, a ORDER BY a.id
  RETURN collect([a.id, r.primary]) AS actors
}
RETURN c.id AS id, c.record AS record, s.id AS step, s.stepId AS stepId, s.status AS status, s.state AS state, actors
