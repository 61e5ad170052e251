// Defines custom properties, or defines them anew.
// $rows: [{id, props: {…}}]
// returns: nothing
UNWIND $rows AS row
MERGE (p:CustomProperty {id: row.id})
SET p += row.props
