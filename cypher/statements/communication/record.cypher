// Describes communications; what only others had named becomes known.
// $rows: [{id, fields: {…}}]
// returns: nothing
UNWIND $rows AS row
MERGE (m:Communication {id: row.id})
SET m += row.fields
REMOVE m:Placeholder
