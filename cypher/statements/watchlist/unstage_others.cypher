// Forgets what other imports have staged for a version, which this one is to bring, a thousand at a time.
// $id: of the version, $holder: the import's job
// returns: total
MATCH (e:WatchlistEntry)
WHERE e.addedIn = $id AND e.stagedBy <> $holder
WITH e LIMIT 1000
DETACH DELETE e
RETURN count(*) AS total
