// Forgets what an import has staged for a version that is not to come, a thousand at a time.
// $id: of the version, $holder: the import's job
// returns: total
MATCH (e:WatchlistEntry)
WHERE e.addedIn = $id AND e.stagedBy = $holder
WITH e LIMIT 1000
DETACH DELETE e
RETURN count(*) AS total
