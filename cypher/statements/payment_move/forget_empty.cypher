// Removes roll-ups of an external account that count nothing any more: no payment will be added to them, as nobody finds the account any more.
// $rows: [{from, to, currency}]
// returns: nothing
UNWIND $rows AS row
MATCH (f:Account {id: row.from})-[r:TRANSFERRED_TO]->(s:Account {id: row.to})
WHERE r.currency = row.currency AND r.sentCount = 0 AND r.receivedCount = 0
DELETE r
