// The account takes over what the external account had sent.
// $account, $external
// returns: nothing
MATCH (e:Account {id: $external})-[r:SENT]->(t:Transaction)
MATCH (n:Account {id: $account})
CREATE (t)<-[:SENT]-(n)
DELETE r
