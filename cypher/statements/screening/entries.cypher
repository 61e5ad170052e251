// What entries of watchlists say in the versions that count. One that is on its list no more has no row.
// $ids: keys of entries
// returns: key, name, fingerprint, list (its id), version (the one that counts)
UNWIND $ids AS wanted
MATCH (e:WatchlistEntry)
WHERE e.key = wanted
MATCH (e)-[:LISTED_ON]->(l:Watchlist)
WITH e, l.id AS list, l.version AS version, e.since AS since, e.until AS until
WHERE since <= version AND (until IS NULL OR until > version)
RETURN e.key AS key, e.name AS name, e.fingerprint AS fingerprint, list, version
