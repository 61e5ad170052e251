// Ends an import: nothing of it is left to be done. The list is locked first, so that another import that begins at the same moment goes on.
// $id: of the list, $holder: the import's job
// returns: nothing
MATCH (l:Watchlist {id: $id})
SET l.writeId = $holder
WITH l
WHERE l.importId = $holder
REMOVE l:ImportingWatchlist, l.importId, l.heldBy, l.uploads
