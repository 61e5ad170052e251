// Keeps a channel location.
// $rows: [{id, props: {name, kind, street, city, …, record}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:ChannelLocation {id: row.id})
SET n += row.props
