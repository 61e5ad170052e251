// Forgets files that were imported, or whose import has ended.
// $ids
// returns: nothing
UNWIND $ids AS id
MATCH (u:WatchlistUpload {id: id})
DELETE u
