// Accounts whose payments are being moved, the longest first.
// $limit
// allows: 10 because few payments are moved at a time
// returns: account, external, openedBy
MATCH (m:PaymentMove)-[:FROM]->(a:Account)
WITH m, a
ORDER BY m.createdAt, m.id
LIMIT $limit
RETURN m.id AS account, a:ExternalAccount AS external, m.openedBy AS openedBy
