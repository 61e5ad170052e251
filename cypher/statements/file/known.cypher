// Which of the contents are a case's file, or wait to be imported.
// $ids
// returns: id
UNWIND $ids AS id
OPTIONAL MATCH (f:File {id: id})
OPTIONAL MATCH (u:WatchlistUpload {id: id})
WITH coalesce(f.id, u.id) AS known
WHERE known IS NOT NULL
RETURN known AS id
