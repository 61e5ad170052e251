// Entries that a list has in a version, behind one of them, in the order of their keys: a page, and one more.
// $after: a key, or what is before all keys of the list; $end: what is behind all of them; $position: the version
// returns: key, entry (a map)
MATCH (e:WatchlistEntry)
WHERE e.key > $after AND e.key < $end
WITH e, e.key AS key, e.since AS since, e.until AS until
WHERE since <= $position AND (until IS NULL OR until > $position)
RETURN key AS key, {id: e.id, key: e.key, entryId: e.entryId, name: e.name, schema: e.schema, names: e.names, birthDates: e.birthDates,
    countries: e.countries, sex: e.sex, identifiers: e.identifiers, since: e.since, until: e.until} AS entry
ORDER BY key LIMIT 201
