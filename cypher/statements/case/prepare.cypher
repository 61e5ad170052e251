// Makes sure the cases are there and locks them, so that of two that make the same case one comes second. A workflow that is not there, or
// is for cases of another type, has no row, and makes no case.
// $rows: [{id, writeId, workflow, caseType}]
// returns: id, record (null for a case that is new), workflow, step (the first one's node), stepId, status, state
UNWIND $rows AS row
MATCH (w:Workflow {id: row.workflow})-[:HAS_STEP]->(s:WorkflowStep)
WHERE s.position = 0 AND w.type = row.caseType
MERGE (c:`Case` {id: row.id})
SET c.writeId = row.writeId
RETURN c.id AS id, c.record AS record, w.id AS workflow, s.id AS step, s.stepId AS stepId, s.status AS status, s.state AS state
