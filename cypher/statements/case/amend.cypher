// Changes fields of cases; a field that comes as null is removed.
// $rows: [{id, props: {…}}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c += row.props
