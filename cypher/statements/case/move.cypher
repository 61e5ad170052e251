// Moves cases to other steps of their workflows.
// $rows: [{id, props: {…} (of the case), step (its node), at: epoch milliseconds}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})-[old:AT_STEP]->(:WorkflowStep)
DELETE old
WITH c, row
MATCH (s:WorkflowStep {id: row.step})
SET c += row.props
CREATE (c)-[:AT_STEP]->(s)
WITH c, s, row.at AS at
