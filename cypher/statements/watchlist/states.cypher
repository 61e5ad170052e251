// What entries of a list say in the version that counts, and in the next one where that is staged.
// $ids: keys of entries, $position: the version that counts
// returns: key, id, since (the version in which it came), until (the version from which on it is no more; or null), fingerprint
UNWIND $ids AS wanted
MATCH (e:WatchlistEntry)
WHERE e.key = wanted
WITH e, e.since AS since, e.until AS until
WHERE until IS NULL OR until > $position
RETURN e.key AS key, e.id AS id, since AS since, until AS until, e.fingerprint AS fingerprint
