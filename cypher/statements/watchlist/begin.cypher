// Begins an import of a watchlist. A list that is not there is made, as version 0, which nobody is shown.
// $id: of the list, $name, $holder: the import's job, $names: ids of the files that it imports, $now: epoch milliseconds
// returns: id, version, publishedBy (the job that has brought the version; or null), sha256 (of what it was read from; or null)
MERGE (l:Watchlist {id: $id})
ON CREATE SET l.name = $name, l.version = 0, l.createdAt = $now
SET l:ImportingWatchlist, l.importId = $holder, l.heldBy = $holder, l.uploads = $names
WITH l
RETURN l.id AS id, l.version AS version, l.publishedBy AS publishedBy, l.sha256 AS sha256
