// Forgets a list whose first import has come to nothing. It is locked first, so that it stays where another import begins at the same moment.
// $id: of the list, $holder: the import's job
// returns: nothing
MATCH (l:Watchlist {id: $id})
SET l.writeId = $holder
WITH l
WHERE l.version = 0 AND l.importId = $holder
DETACH DELETE l
