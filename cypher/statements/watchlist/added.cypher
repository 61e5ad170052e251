// Entries that were added or changed in a version, behind one of them, in the order of their keys: a page, and one more.
// $id: of the version, $kind: ADDED or CHANGED, $after: a key, or ''
// returns: key, entry (a map), former (what a changed one has replaced, a map; or null)
MATCH (e:WatchlistEntry)
WHERE e.addedIn = $id
WITH e, e.key AS key, e.change AS change
WHERE change = $kind AND key > $after
OPTIONAL MATCH (e)-[:REPLACES]->(f:WatchlistEntry)
RETURN key AS key, {id: e.id, key: e.key, entryId: e.entryId, name: e.name, schema: e.schema, names: e.names, birthDates: e.birthDates,
    countries: e.countries, sex: e.sex, identifiers: e.identifiers, since: e.since, until: e.until} AS entry,
  CASE WHEN f IS NULL THEN null ELSE {id: f.id, key: f.key, entryId: f.entryId, name: f.name, schema: f.schema, names: f.names, birthDates: f.birthDates,
    countries: f.countries, sex: f.sex, identifiers: f.identifiers, since: f.since, until: f.until} END AS former
ORDER BY key LIMIT 201
