// Ids of entries that a list has in a version, behind one of them, in order: where a stream of entries goes on.
// $after: an id, or what is before all ids of the list; $end: what is behind all of them; $position: the version
// returns: id
MATCH (e:WatchlistEntry)
WHERE e.id > $after AND e.id < $end
WITH e.id AS id, e.since AS since, e.until AS until
WHERE since <= $position AND (until IS NULL OR until > $position)
RETURN id
ORDER BY id LIMIT 10000
