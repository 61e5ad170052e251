// Ends snoozes: who has ended them, when and why stands beside what they were.
// $rows: [{id, props: {…}}]
// returns: nothing
UNWIND $rows AS row
MATCH (z:Snooze {id: row.id})
SET z += row.props
