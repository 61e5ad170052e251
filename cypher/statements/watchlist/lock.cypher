// Locks watchlists until the transaction ends. One that is not there has no row.
// $rows: [{id, writeId}]
// returns: id, version, importId (the job that imports it now; or null), publishedBy (the job that has brought the version; or null)
UNWIND $rows AS row
MATCH (l:Watchlist {id: row.id})
SET l.writeId = row.writeId
RETURN l.id AS id, l.version AS version, l.importId AS importId, l.publishedBy AS publishedBy
