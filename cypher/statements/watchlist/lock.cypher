// Locks watchlists until the transaction ends. One that is not there has no row.
// $rows: [{id, writeId}]
// returns: id, version, heldBy (the job that may make its next version count; or null, or empty), publishedBy (the job that has brought the version; or null)
UNWIND $rows AS row
MATCH (l:Watchlist {id: row.id})
SET l.writeId = row.writeId
RETURN l.id AS id, l.version AS version, l.heldBy AS heldBy, l.publishedBy AS publishedBy
