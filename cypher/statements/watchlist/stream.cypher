// Entries of watchlists by their ids, with what screening goes by.
// $ids
// returns: id, entryId, schema, names, birthDates, countries, sex, identifiers (the last four may be null)
UNWIND $ids AS id
MATCH (e:WatchlistEntry {id: id})
RETURN id, e.entryId AS entryId, e.schema AS schema, e.names AS names, e.birthDates AS birthDates, e.countries AS countries, e.sex AS sex,
  e.identifiers AS identifiers
