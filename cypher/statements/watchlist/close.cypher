// Ends an import: nothing of it is left to be done.
// $id: of the list, $holder: the import's job
// returns: nothing
MATCH (l:Watchlist {id: $id})
WHERE l.importId = $holder
REMOVE l:ImportingWatchlist, l.importId, l.heldBy, l.uploads
