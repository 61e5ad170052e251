// Versions of a list, the newest first, from one on.
// $id: of the list, $behind: only those with a smaller number, $limit
// returns: id, number, publishedAt (epoch milliseconds), publishedBy, publishedByName (of whoever has asked for the import), jobId, format, sha256, entries,
//   added, changed, ended, notes (how many values were not used)
MATCH (l:Watchlist {id: $id})-[:HAS_VERSION]->(v:WatchlistVersion)
WITH v, v.number AS number
WHERE number < $behind
WITH v, number ORDER BY number DESC LIMIT $limit
RETURN v.id AS id, number AS number, v.publishedAt AS publishedAt, v.publishedBy AS publishedBy, v.publishedByName AS publishedByName,
  v.jobId AS jobId, v.format AS format, v.sha256 AS sha256, v.entries AS entries, v.added AS added, v.changed AS changed, v.ended AS ended, v.notes AS notes
