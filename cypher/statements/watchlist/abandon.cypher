// Takes a list from an import that is to be tidied up: what of it is under way still can't make a version count any more. The list is locked first, so that
// the version is the one that counts for good.
// $id: of the list, $holder: the import's job
// returns: version (the one that counts): only where no other import has begun since
MATCH (l:Watchlist {id: $id})
SET l.writeId = $holder
WITH l
WHERE l.importId = $holder
SET l.heldBy = ''
RETURN l.version AS version
