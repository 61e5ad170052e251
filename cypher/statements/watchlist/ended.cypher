// Entries that are no more from a version on, behind one of them, in the order of their keys: a page, and one more. As watchlist/added.
// $id: of the version, $kind: ENDED, or CHANGED for those that something else has replaced; $after: a key, or ''
// returns: key, entry (a map)
MATCH (e:WatchlistEntry)
WHERE e.endedIn = $id AND e.endedAs = $kind AND e.key > $after
RETURN e.key AS key, {id: e.id, key: e.key, entryId: e.entryId, name: e.name, schema: e.schema, names: e.names, birthDates: e.birthDates,
    countries: e.countries, sex: e.sex, identifiers: e.identifiers, since: e.since, until: e.until} AS entry
ORDER BY key LIMIT 201
