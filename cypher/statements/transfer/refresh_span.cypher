// Reads the first and last payment of pairs again, after payments at either end were taken back. A roll-up that counts nothing any more stays,
// without a span: a payment that is recorded at the same moment may have found it already, and what is set on a deleted one is lost.
// Both ends are locked (the sender is already), or a roll-up that is there may be missed, as add_to_roll_up says.
// $rows: [{from, to, currency, first, last (of the payments taken back)}]
// returns: nothing
UNWIND $rows AS row
MATCH (f:Account {id: row.from})
MATCH (s:Account {id: row.to})
SET s:Account
WITH row, f, s
MATCH (f)-[r:TRANSFERRED_TO]->(s)
WHERE r.currency = row.currency AND (r.first >= row.first OR r.last <= row.last)
OPTIONAL MATCH (f)-[:SENT]->(t:Transaction)-[:RECEIVED_BY]->(s)
WHERE t.counted = true AND t.currency = row.currency
WITH r, min(t.createdAt) AS first, max(t.createdAt) AS last
SET r.first = first, r.last = last
