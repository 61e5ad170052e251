// Removes external accounts of which nothing is left.
// $rows: [{account}]
// returns: nothing
UNWIND $rows AS row
MATCH (e:Account {id: row.account})
WHERE e:ExternalAccount AND NOT EXISTS { MATCH (e)-[:SENT|RECEIVED_BY]-(:Transaction) } AND NOT EXISTS { MATCH (e)-[:IDENTIFIED_BY]->(:AccountIdentifier) }
DETACH DELETE e
