// The account takes over what the external account had received.
// $account, $external
// returns: nothing
MATCH (e:Account {id: $external})<-[r:RECEIVED_BY]-(t:Transaction)
MATCH (n:Account {id: $account})
CREATE (t)-[:RECEIVED_BY]->(n)
DELETE r
