// Entries that were added or changed in a version, behind one of them, in the order of their keys: a page, and one more. All conditions stand together:
// so the embedded engine keeps few rows while it looks.
// $id: of the version, $kind: ADDED or CHANGED, $after: a key, or ''
// returns: key, entry (a map)
MATCH (e:WatchlistEntry)
WHERE e.addedIn = $id AND e.change = $kind AND e.key > $after
RETURN e.key AS key, {id: e.id, key: e.key, entryId: e.entryId, name: e.name, schema: e.schema, names: e.names, birthDates: e.birthDates,
    countries: e.countries, sex: e.sex, identifiers: e.identifiers, since: e.since, until: e.until} AS entry
ORDER BY key LIMIT 201
