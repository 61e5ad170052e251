// Keeps what is known of a file that was uploaded to be imported. Its content is in the store of files, under its key.
// $rows: [{id, props: {…}}]
// returns: nothing
UNWIND $rows AS row
CREATE (u:WatchlistUpload {id: row.id})
SET u += row.props
