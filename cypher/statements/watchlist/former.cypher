// What entries have replaced.
// $ids: of their states
// returns: id, former (a map; or null)
UNWIND $ids AS id
MATCH (e:WatchlistEntry {id: id})
OPTIONAL MATCH (e)-[:REPLACES]->(f:WatchlistEntry)
RETURN e.id AS id,
  CASE WHEN f IS NULL THEN null ELSE {id: f.id, key: f.key, entryId: f.entryId, name: f.name, schema: f.schema, names: f.names, birthDates: f.birthDates,
    countries: f.countries, sex: f.sex, identifiers: f.identifiers, since: f.since, until: f.until} END AS former
