// Entries that a list has in a version, behind one of them, in the order of their keys.
// $after: a key, or what is before all keys of the list; $end: what is behind all of them; $position: the version
// returns: key, id
MATCH (e:WatchlistEntry)
WHERE e.key > $after AND e.key < $end
WITH e.key AS key, e.id AS id, e.since AS since, e.until AS until
WHERE since <= $position AND (until IS NULL OR until > $position)
RETURN key AS key, id AS id
ORDER BY key LIMIT 10000
