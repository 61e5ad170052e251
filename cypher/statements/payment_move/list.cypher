// Accounts whose payments are being moved, the longest first.
// $limit
// returns: account
MATCH (m:PaymentMove)
RETURN m.id AS account
ORDER BY m.createdAt, account
LIMIT $limit
