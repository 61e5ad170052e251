// Records again a transaction that was there before and is locked (transaction/lock), after its links were taken away (transaction/unlink): its fields
// and its links. Or for the first time one that observations were waiting for (transaction/lock_awaited). What it adds to the roll-ups now is added apart (transfer/add). External accounts are there already.
// $rows: [{id, owner, props: {…} (null for what it has no more), senders, receivers: account ids, devices: [{id, name}], ips: [{id, name}],
//   locations: [id], parties: [{id, name}]}]
// returns: nothing
UNWIND $rows AS row
MATCH (t:Transaction {id: row.id})
SET t += row.props
REMOVE t:Placeholder, t:AwaitedTransaction
MERGE (w:Actor {id: row.owner})
ON CREATE SET w:Placeholder, w.name = row.owner
FOREACH (id IN row.senders | MERGE (x:Account {id: id}) ON CREATE SET x:Placeholder, x.name = id CREATE (t)<-[:SENT]-(x))
FOREACH (id IN row.receivers | MERGE (x:Account {id: id}) ON CREATE SET x:Placeholder, x.name = id CREATE (t)-[:RECEIVED_BY]->(x))
CREATE (t)-[:OWNED_BY]->(w)
FOREACH (d IN row.devices | MERGE (x:Device {id: d.id}) ON CREATE SET x.name = d.name CREATE (t)-[:USED]->(x)
  FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name MERGE (x)-[:SEEN_AT]->(y)))
FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name CREATE (t)-[:CONNECTED_FROM]->(y))
FOREACH (l IN row.locations | MERGE (x:ChannelLocation {id: l}) CREATE (t)-[:AT]->(x))
FOREACH (p IN row.parties | MERGE (x:Actor {id: p.id}) ON CREATE SET x:Placeholder, x.name = p.name CREATE (t)-[:INVOLVES]->(x))
