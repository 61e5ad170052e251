// Keeps versions of rules that detection/lock_rule has locked. One that is there is never written again.
// $rows: [{id, props: {…}}]
// returns: nothing
UNWIND $rows AS row
MATCH (r:DetectionRuleVersion {id: row.id})
SET r += row.props
