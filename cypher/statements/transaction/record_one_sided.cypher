// Records transactions whose other side is not known (cash over the counter, fees): as transaction/record, with one account and no roll-up.
// $rows: as for transaction/record. What is said of the other side, currency and tallies is not read.
// returns: ids
UNWIND $rows AS row
OPTIONAL MATCH (old:Transaction {id: row.id})
WITH row, old
WHERE old IS NULL OR old.writeId = row.writeId
FOREACH (_ IN CASE WHEN old IS NULL THEN [1] ELSE [] END |
  CREATE (x:Transaction {id: row.id, writeId: row.writeId, name: row.props.name, record: row.props.record, recordedAt: row.props.recordedAt,
    accountId: row.props.accountId, accountOwnerId: row.props.accountOwnerId, amount: row.props.amount, amountUnits: row.props.amountUnits,
    amountNanos: row.props.amountNanos, currency: row.props.currency, standardizedAmount: row.props.standardizedAmount,
    standardUnits: row.props.standardUnits, standardNanos: row.props.standardNanos, createdAt: row.props.createdAt, direction: row.props.direction,
    status: row.props.status, counted: row.props.counted, counterpartyKind: row.props.counterpartyKind,
    counterpartyName: row.props.counterpartyName, counterpartyNumbers: row.props.counterpartyNumbers, accountBalance: row.props.accountBalance,
    channel: row.props.channel, channelLocationId: row.props.channelLocationId, description: row.props.description, method: row.props.method,
    purpose: row.props.purpose, userId: row.props.userId, userName: row.props.userName}))
FOREACH (_ IN CASE WHEN old IS NULL THEN [] ELSE [1] END | SET old += row.props)
WITH row
MATCH (t:Transaction {id: row.id})
MERGE (n:Account {id: row.account})
ON CREATE SET n:Placeholder, n.name = row.account
MERGE (w:Actor {id: row.owner})
ON CREATE SET w:Placeholder, w.name = row.owner
FOREACH (_ IN CASE WHEN row.outbound THEN [1] ELSE [] END | CREATE (t)<-[:SENT]-(n))
FOREACH (_ IN CASE WHEN row.outbound THEN [] ELSE [1] END | CREATE (t)-[:RECEIVED_BY]->(n))
CREATE (t)-[:OWNED_BY]->(w)
FOREACH (d IN row.devices | MERGE (x:Device {id: d.id}) ON CREATE SET x.name = d.name CREATE (t)-[:USED]->(x)
  FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name MERGE (x)-[:SEEN_AT]->(y)))
FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name CREATE (t)-[:CONNECTED_FROM]->(y))
FOREACH (l IN row.locations | MERGE (x:ChannelLocation {id: l}) CREATE (t)-[:AT]->(x))
FOREACH (p IN row.parties | MERGE (x:Actor {id: p.id}) ON CREATE SET x:Placeholder, x.name = p.name CREATE (t)-[:INVOLVES]->(x))
CREATE (a:AuditEntry {id: row.audit.id})
SET a += row.audit
FOREACH (k IN row.keys | CREATE (x:IdempotencyKey {id: k.id, name: k.name, bodyHash: k.bodyHash, answer: k.answer, createdAt: k.createdAt}))
RETURN collect(row.id) AS ids
