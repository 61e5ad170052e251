// Keeps devices.
// $rows: [{id, props: {name, kind, blocked, metadata}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Device {id: row.id})
SET n += row.props
