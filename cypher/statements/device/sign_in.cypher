// Keeps sign-ins: a device was used to sign in to an account at a time, from an address where one is known. The same again changes nothing.
// $rows: [{device, account, at, ips: [{id, name}] (none or one)}]
// returns: nothing
UNWIND $rows AS row
MERGE (d:Device {id: row.device})
ON CREATE SET d.name = row.device
MERGE (n:Account {id: row.account})
ON CREATE SET n:Placeholder, n.name = row.account
FOREACH (i IN row.ips | MERGE (x:IpAddress {id: i.id}) ON CREATE SET x.name = i.name MERGE (d)-[:SEEN_AT]->(x)
  MERGE (d)-[:SIGNED_IN {at: row.at, ipAddress: i.id}]->(n))
FOREACH (_ IN CASE WHEN size(row.ips) = 0 THEN [1] ELSE [] END | MERGE (d)-[:SIGNED_IN {at: row.at}]->(n))
