// Payments that are still with an external account which is no longer anybody's.
// $account; $most
// returns: id, numbers
MATCH (a:Account {id: $account})-[:SENT|RECEIVED_BY]-(t:Transaction)
RETURN t.id AS id, t.counterpartyNumbers AS numbers
LIMIT $most
