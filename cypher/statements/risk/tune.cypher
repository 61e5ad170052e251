// Keeps how risk rules were tuned. What was set before stays beside it.
// $rows: [{id, props: {…}}]
// returns: nothing
UNWIND $rows AS row
CREATE (t:RiskRuleTuning {id: row.id})
SET t += row.props
