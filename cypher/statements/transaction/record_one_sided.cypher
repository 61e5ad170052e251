// Records transactions whose other side is not known (cash over the counter, fees): as transaction/record, with one account and no roll-up.
// $rows: as for transaction/record, and account; of from and to the side that is not known is null. Currency, tallies and externals are not read.
// returns: ids
UNWIND $rows AS row
MERGE (t:Transaction {id: row.id})
ON CREATE SET t.writeId = row.writeId
WITH t, row WHERE t.writeId = row.writeId
SET t += row.props
MERGE (n:Account {id: row.account})
ON CREATE SET n:Placeholder, n.name = row.account
MERGE (o:Actor {id: row.owner})
ON CREATE SET o:Placeholder, o.name = row.owner
FOREACH (_ IN CASE WHEN row.from IS NULL THEN [] ELSE [1] END | CREATE (t)<-[:SENT]-(n))
FOREACH (_ IN CASE WHEN row.to IS NULL THEN [] ELSE [1] END | CREATE (t)-[:RECEIVED_BY]->(n))
CREATE (t)-[:OWNED_BY]->(o)
FOREACH (d IN row.devices | MERGE (x:Device {id: d.id}) ON CREATE SET x.name = d.name CREATE (t)-[:USED]->(x)
  FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name MERGE (x)-[:SEEN_AT]->(y)))
FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name CREATE (t)-[:CONNECTED_FROM]->(y))
FOREACH (l IN row.locations | MERGE (x:ChannelLocation {id: l}) CREATE (t)-[:AT]->(x))
FOREACH (p IN row.parties | MERGE (x:Actor {id: p.id}) ON CREATE SET x:Placeholder, x.name = p.name CREATE (t)-[:INVOLVES]->(x))
CREATE (a:AuditEntry {id: row.audit.id})
SET a += row.audit
RETURN collect(row.id) AS ids
