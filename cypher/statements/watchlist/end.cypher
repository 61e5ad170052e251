// Says of entries from which version on they are no more. Until that counts, they are shown. Nothing where the import has its list no more.
// $rows: [{id, list, props: {…}}], $holder: the import's job
// returns: nothing
UNWIND $rows AS row
MATCH (l:Watchlist {id: row.list})
WHERE l.heldBy = $holder
MATCH (e:WatchlistEntry {id: row.id})
SET e += row.props
