// Marks entries that have ended with a version, a thousand at a time, so that people see the present unless they name the past.
// $id: of the version
// returns: total
MATCH (e:WatchlistEntry)
WHERE e.endedIn = $id AND NOT 'EndedWatchlistEntry' IN labels(e)
WITH e LIMIT 1000
SET e:EndedWatchlistEntry
RETURN count(*) AS total
