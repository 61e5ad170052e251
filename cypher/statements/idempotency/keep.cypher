// Keeps the answers given under idempotency keys, in the transaction that writes what they answered. A key that is taken breaks its constraint.
// $rows: [{id, props: {name, bodyHash, answer, createdAt}}]
// returns: nothing
UNWIND $rows AS row
CREATE (k:IdempotencyKey {id: row.id})
SET k += row.props
