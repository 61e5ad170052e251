// Entries that other imports were to end with a version, which this one is to bring, go on, a thousand at a time.
// $id: of the version, $holder: the import's job
// returns: total
MATCH (e:WatchlistEntry)
WHERE e.endedIn = $id AND e.endedBy <> $holder
WITH e LIMIT 1000
REMOVE e.until, e.endedIn, e.endedAs, e.endedBy
RETURN count(*) AS total
