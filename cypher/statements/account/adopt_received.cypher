// The account takes over what the external account had received, as many payments as may be at once.
// $account, $external, $most
// returns: moved: how many
MATCH (e:Account {id: $external})<-[r:RECEIVED_BY]-(t:Transaction)
WITH r, t LIMIT $most
MATCH (n:Account {id: $account})
CREATE (t)-[:RECEIVED_BY]->(n)
DELETE r
RETURN count(*) AS moved
