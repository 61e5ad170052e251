// Keeps sign-ins: a device was used to sign in to an account at a time. The same again changes nothing.
// $rows: [{device, account, at, ips: [{id, name}]}]
// returns: nothing
UNWIND $rows AS row
MERGE (d:Device {id: row.device})
ON CREATE SET d.name = row.device
MERGE (n:Account {id: row.account})
ON CREATE SET n:Placeholder, n.name = row.account
MERGE (d)-[r:SIGNED_IN {at: row.at}]->(n)
FOREACH (i IN row.ips | MERGE (x:IpAddress {id: i.id}) ON CREATE SET x.name = i.name MERGE (d)-[:SEEN_AT]->(x) SET r.ipAddress = i.id)
