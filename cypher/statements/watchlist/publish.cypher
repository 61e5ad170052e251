// Makes the version count that an import has staged: from now on it is shown, and what it replaces is not. The jobs that follow from it are queued with it.
// $rows: [{id: of the list, props: {…}, versionId, fields: {…} (of the version), jobs: [{as in job_instance/create}]}]
// returns: nothing
UNWIND $rows AS row
MATCH (l:Watchlist {id: row.id})
SET l += row.props
CREATE (v:WatchlistVersion {id: row.versionId})
SET v += row.fields
CREATE (l)-[:HAS_VERSION]->(v)
WITH row
UNWIND row.jobs AS job
WITH job AS row
