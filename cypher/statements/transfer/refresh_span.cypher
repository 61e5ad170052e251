// Reads the first and last payment of pairs again, after one was taken back.
// $rows: [{from, to, currency}]
// returns: nothing
UNWIND $rows AS row
MATCH (f:Account {id: row.from})-[r:TRANSFERRED_TO]->(s:Account {id: row.to})
WHERE r.currency = row.currency
MATCH (f)-[:SENT]->(t:Transaction)-[:RECEIVED_BY]->(s)
WHERE t.counted = true AND t.currency = row.currency
WITH r, min(t.createdAt) AS first, max(t.createdAt) AS last
SET r.first = first, r.last = last
