// Records transactions whose other side is not known (cash over the counter, fees): as transaction/record, with one account and no roll-up.
// $rows: as for transaction/record. What is said of the other side, currency and tallies is not read.
// returns: ids
UNWIND $rows AS row
OPTIONAL MATCH (old:Transaction {id: row.id})
WITH row WHERE old IS NULL
CREATE (t:Transaction {id: row.id, writeId: row.writeId, name: row.props.name, record: row.props.record, recordedAt: row.props.recordedAt,
  accountId: row.props.accountId, accountOwnerId: row.props.accountOwnerId, amount: row.props.amount, amountUnits: row.props.amountUnits,
  amountNanos: row.props.amountNanos, currency: row.props.currency, standardizedAmount: row.props.standardizedAmount,
  standardUnits: row.props.standardUnits, standardNanos: row.props.standardNanos, createdAt: row.props.createdAt, direction: row.props.direction,
  status: row.props.status, counted: row.props.counted, counterpartyKind: row.props.counterpartyKind,
  counterpartyName: row.props.counterpartyName, counterpartyNumbers: row.props.counterpartyNumbers, accountBalance: row.props.accountBalance,
  channel: row.props.channel, channelLocationId: row.props.channelLocationId, description: row.props.description, method: row.props.method,
  purpose: row.props.purpose, userId: row.props.userId, userName: row.props.userName})
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
CREATE (a:AuditEntry {id: row.audit.id, name: row.audit.name, timestamp: row.audit.timestamp, action: row.audit.action,
  domain: row.audit.domain, logType: row.audit.logType, objectType: row.audit.objectType, objectId: row.audit.objectId, caseId: row.audit.caseId,
  userId: row.audit.userId, userName: row.audit.userName, userRole: row.audit.userRole, means: row.audit.means, userIP: row.audit.userIP,
  requestId: row.audit.requestId, oldValue: row.audit.oldValue, newValue: row.audit.newValue, actionResult: row.audit.actionResult})
FOREACH (key IN row.keys | CREATE (k:IdempotencyKey {id: key.id, name: 'Idempotency key', bodyHash: key.bodyHash, answer: key.answer,
  createdAt: key.createdAt}))
RETURN collect(row.id) AS ids
