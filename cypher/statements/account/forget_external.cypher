// Removes an external account of which nothing is left.
// $account
// returns: nothing
MATCH (e:Account {id: $account})
WHERE e:ExternalAccount AND NOT EXISTS { MATCH (e)-[:SENT|RECEIVED_BY]-() } AND NOT EXISTS { MATCH (e)-[:IDENTIFIED_BY]->() }
DETACH DELETE e
