// Locks the move of an account's payments until the transaction ends, so that one mover at a time is at it.
// $account; $writeId
// returns: id (no row when everything was moved), external, openedBy
MATCH (m:PaymentMove {id: $account})
SET m.writeId = $writeId
WITH m
MATCH (m)-[:FROM]->(a:Account)
RETURN m.id AS id, a:ExternalAccount AS external, m.openedBy AS openedBy
