// Entries that an import was to end with a version that is not to come go on, a thousand at a time.
// $id: of the version, $holder: the import's job
// returns: total
MATCH (e:WatchlistEntry)
WHERE e.endedIn = $id AND e.endedBy = $holder
WITH e LIMIT 1000
REMOVE e.until, e.endedIn, e.endedAs, e.endedBy
RETURN count(*) AS total
