// Entries as some of their versions have them, by the ids of their states, in no order.
// $ids
// returns: key, entry (a map)
UNWIND $ids AS id
MATCH (e:WatchlistEntry {id: id})
RETURN e.key AS key, {id: e.id, key: e.key, entryId: e.entryId, name: e.name, schema: e.schema, names: e.names, birthDates: e.birthDates,
    countries: e.countries, sex: e.sex, identifiers: e.identifiers, since: e.since, until: e.until} AS entry
