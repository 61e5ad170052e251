// Makes actors counterparties of payments, but of those that they own.
// $rows: [{payment, actor}]
// returns: nothing
UNWIND $rows AS row
MATCH (t:Transaction {id: row.payment})
MATCH (a:Actor {id: row.actor})
WITH t, a, t.accountOwnerId AS owner
WHERE owner IS NULL OR owner <> a.id
CREATE (t)-[:INVOLVES]->(a)
