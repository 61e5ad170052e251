// Forgets what an import has staged for a version that is not to come, some at a time.
// $id: of the version, $holder: the import's job, $most
// returns: total
MATCH (e:WatchlistEntry)
WHERE e.addedIn = $id
WITH e, e.stagedBy AS stagedBy
WHERE stagedBy = $holder
WITH e LIMIT $most
DETACH DELETE e
RETURN count(*) AS total
