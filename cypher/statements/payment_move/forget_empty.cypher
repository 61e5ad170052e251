// Removes roll-ups of external accounts that count nothing any more, after payments were moved away: nobody finds such an account any more, so that
// nothing is added to them at the same moment.
// $rows: [{from, to, currency}]
// returns: nothing
UNWIND $rows AS row
MATCH (f:Account {id: row.from})-[r:TRANSFERRED_TO]->(s:Account {id: row.to})
WHERE r.currency = row.currency AND r.sentCount = 0 AND r.receivedCount = 0 AND (f:ExternalAccount OR s:ExternalAccount)
DELETE r
