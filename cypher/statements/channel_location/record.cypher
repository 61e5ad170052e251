// Keeps a channel location.
// $rows: [{id, props: {name, type, street, city, …, record}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:ChannelLocation {id: row.id})
SET n += row.props
