// When the first of the items that wait is to be tried again.
// returns: dueAt (epoch milliseconds; no row when none waits)
MATCH (i:BulkItem)
WHERE i.dueAt >= 0
RETURN i.dueAt AS dueAt ORDER BY dueAt LIMIT 1
