// Adds workflows that workflow/lock has locked: their steps, and the moves between them.
// $rows: [{id, props: {…}, steps: [{id, props: {…}}], moves: [{action, from, to}]}]
// returns: nothing
UNWIND $rows AS row
MATCH (w:Workflow {id: row.id})
SET w += row.props
FOREACH (s IN row.steps | CREATE (x:WorkflowStep {id: s.id}) SET x += s.props CREATE (w)-[:HAS_STEP]->(x))
WITH row
UNWIND row.moves AS move
MATCH (f:WorkflowStep {id: move.from})
MATCH (t:WorkflowStep {id: move.to})
CREATE (f)-[:MAY_MOVE_TO {action: move.action}]->(t)
