// Keeps the schemas of requests for data, each by its type.
// $rows: [{id, props: {…}}]
// returns: nothing
UNWIND $rows AS row
MERGE (s:RequestForDataSchema {id: row.id})
SET s += row.props
