// Watchlists whose last import has left something: what it has staged, or what it has replaced and not marked yet.
// returns: id, version, importId (the import's job), uploads (ids of its files), open (whether the job has not ended)
MATCH (l:ImportingWatchlist)
OPTIONAL MATCH (j:JobInstance {id: l.importId})
RETURN l.id AS id, l.version AS version, l.importId AS importId, l.uploads AS uploads,
  CASE WHEN j IS NULL OR j.endedAt IS NOT NULL THEN false ELSE true END AS open
