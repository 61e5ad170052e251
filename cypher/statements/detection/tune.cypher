// Keeps how rules were tuned. What was set before stays beside it.
// $rows: [{id, props: {…}}]
// returns: nothing
UNWIND $rows AS row
CREATE (t:DetectionRuleTuning {id: row.id})
SET t += row.props
