// Says how items that had waited stand now, each if it was tried as often as its row says.
// $rows: [{id, attempts, props: {…}, completed: [] or [true], failed: [] or [true]}]
// returns: nothing
UNWIND $rows AS row
MATCH (i:BulkItem {id: row.id})
WHERE i:DeferredItem AND i.attempts = row.attempts
SET i += row.props
FOREACH (done IN row.completed | REMOVE i:DeferredItem)
FOREACH (done IN row.failed | REMOVE i:DeferredItem SET i:DeadLetter)
