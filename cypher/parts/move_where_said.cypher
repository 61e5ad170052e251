WITH c, row
UNWIND row.steps AS step
MATCH (c)-[old:AT_STEP]->(:WorkflowStep)
DELETE old
WITH c, step, row.at AS at
MATCH (s:WorkflowStep {id: step})
SET c.stepId = s.stepId, c.status = s.status, c.state = s.state
CREATE (c)-[:AT_STEP]->(s)
