// Makes the version count that an import has staged: from now on it is shown, and what it replaces is not.
// $rows: [{id: of the list, props: {…}, versionId, fields: {…} (of the version)}]
// returns: nothing
UNWIND $rows AS row
MATCH (l:Watchlist {id: row.id})
SET l += row.props
CREATE (v:WatchlistVersion {id: row.versionId})
SET v += row.fields
CREATE (l)-[:HAS_VERSION]->(v)
