// Entries that an import was to end with a version that is not to come go on, some at a time.
// $id: of the version, $holder: the import's job, $most
// returns: total
MATCH (e:WatchlistEntry)
WHERE e.endedIn = $id
WITH e, e.endedBy AS endedBy
WHERE endedBy = $holder
WITH e LIMIT $most
REMOVE e.until, e.endedIn, e.endedAs, e.endedBy
RETURN count(*) AS total
