// Forgets what is staged for a version that is not to come, some at a time.
// $id: of the version, $most
// returns: total
MATCH (e:WatchlistEntry)
WHERE e.addedIn = $id
WITH e LIMIT $most
DETACH DELETE e
RETURN count(*) AS total
