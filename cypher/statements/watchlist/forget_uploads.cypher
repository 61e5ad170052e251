// Forgets files that were uploaded before a time and that nobody has imported, some at a time.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (u:WatchlistUpload)
WHERE u.uploadedAt < $before
WITH u LIMIT $most
DELETE u
RETURN count(*) AS forgotten
