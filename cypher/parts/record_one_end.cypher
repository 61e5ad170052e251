// Part of transaction/record_one_sided: the one account.
MERGE (n:Account {id: row.account})
ON CREATE SET n:Placeholder, n.name = row.account
FOREACH (_ IN CASE WHEN row.outbound THEN [1] ELSE [] END | CREATE (t)<-[:SENT]-(n))
FOREACH (_ IN CASE WHEN row.outbound THEN [] ELSE [1] END | CREATE (t)-[:RECEIVED_BY]->(n))
WITH collect(row.writeId) AS written
