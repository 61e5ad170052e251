// Says of entries from which version on they are no more. Until that counts, they are shown.
// $rows: [{id, props: {…}}]
// returns: nothing
UNWIND $rows AS row
MATCH (e:WatchlistEntry {id: row.id})
SET e += row.props
