// Marks entries that have ended with a version, some at a time, so that people see the present unless they name the past.
// $id: of the version, $most
// returns: total
MATCH (e:WatchlistEntry)
WHERE e.endedIn = $id
WITH e, 'EndedWatchlistEntry' IN labels(e) AS settled
WHERE NOT settled
WITH e LIMIT $most
SET e:EndedWatchlistEntry
RETURN count(*) AS total
