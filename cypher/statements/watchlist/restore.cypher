// Entries that were to end with a version that is not to come go on, some at a time.
// $id: of the version, $most
// returns: total
MATCH (e:WatchlistEntry)
WHERE e.endedIn = $id
WITH e LIMIT $most
REMOVE e.until, e.endedIn, e.endedAs
RETURN count(*) AS total
