// Entries of watchlists by their ids, with what screening goes by; those that the version that counts has no more have no row.
// $ids, $position: the version that counts
// returns: id, entryId, schema, names, birthDates, countries, sex, identifiers (the last four may be null)
UNWIND $ids AS id
MATCH (e:WatchlistEntry {id: id})
WITH e, e.until AS until
WHERE until IS NULL OR until > $position
RETURN e.id AS id, e.entryId AS entryId, e.schema AS schema, e.names AS names, e.birthDates AS birthDates, e.countries AS countries, e.sex AS sex,
  e.identifiers AS identifiers
