// Forgets a list whose first import has come to nothing.
// $id: of the list, $holder: the import's job
// returns: nothing
MATCH (l:Watchlist {id: $id})
WHERE l.version = 0 AND l.importId = $holder
DETACH DELETE l
