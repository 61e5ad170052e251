// Ids of entries that were added or changed in a version, behind one of them, in order. All conditions stand together: so the embedded engine keeps few
// rows while it looks.
// $version: its id, $after: an id, or ''
// returns: id
MATCH (e:WatchlistEntry)
WHERE e.addedIn = $version AND e.id > $after
RETURN e.id AS id
ORDER BY id LIMIT 10000
