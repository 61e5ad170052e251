// States of a list's entries behind one of them, in the order of their keys and, of one key, of their versions: about as many as a page needs; watchlist/keys finds more of them.
// Both engines keep few rows where nothing but the key is asked for: which version has a state is for whoever reads it to see.
// $after: a key, or what is before all keys of the list; $behind: of the states with this key those that came in later versions only; $end: what is
//   behind all keys of the list
// returns: key, id, since (the version in which it came), until (the version from which on it is no more; or null)
MATCH (e:WatchlistEntry)
WHERE e.key >= $after AND e.key < $end AND CASE e.key WHEN $after THEN e.since > $behind ELSE true END
RETURN e.key AS key, e.id AS id, e.since AS since, e.until AS until
ORDER BY key, since LIMIT 1000
