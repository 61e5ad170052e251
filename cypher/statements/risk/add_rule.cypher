// Keeps versions of risk rules that risk/lock_rule has locked. One that is there is never written again.
// $rows: [{id, props: {…}}]
// returns: nothing
UNWIND $rows AS row
MATCH (r:RiskRuleVersion {id: row.id})
SET r += row.props
