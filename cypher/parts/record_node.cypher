// Part of transaction/record, transaction/record_by_number and transaction/record_one_sided: the node of each row, its links but those to accounts,
// audit entry and idempotency key.
WITH row, from, to, now, row.props AS p, row.audit AS entry
CREATE (t:Transaction {id: row.id, writeId: row.writeId, logicalTime: coalesce(row.logicalTime, now), name: p.name, record: p.record,
  recordedAt: p.recordedAt, accountId: row.account,
  accountOwnerId: row.owner, amount: p.amount, amountUnits: p.amountUnits, amountNanos: p.amountNanos, currency: row.currency,
  standardizedAmount: p.standardizedAmount, standardUnits: p.standardUnits, standardNanos: p.standardNanos, createdAt: p.createdAt,
  direction: p.direction, status: p.status, counted: p.counted, counterpartyKind: p.counterpartyKind, counterpartyName: p.counterpartyName,
  counterpartyNumbers: p.counterpartyNumbers, accountBalance: p.accountBalance, channel: p.channel, channelLocationId: p.channelLocationId,
  description: p.description, method: p.method, purpose: p.purpose, userId: p.userId, userName: p.userName,
  excludedFromMonitoring: p.excludedFromMonitoring, counterpartyCountries: p.counterpartyCountries, international: p.international})
MERGE (w:Actor {id: row.owner})
ON CREATE SET w:Placeholder, w.name = row.owner
CREATE (t)-[:OWNED_BY]->(w)
FOREACH (d IN row.devices | MERGE (x:Device {id: d.id}) ON CREATE SET x.name = d.name CREATE (t)-[:USED]->(x)
  FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name MERGE (x)-[:SEEN_AT]->(y)))
FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name CREATE (t)-[:CONNECTED_FROM]->(y))
FOREACH (l IN row.locations | MERGE (x:ChannelLocation {id: l}) CREATE (t)-[:AT]->(x))
FOREACH (party IN row.parties | MERGE (x:Actor {id: party.id}) ON CREATE SET x:Placeholder, x.name = party.name CREATE (t)-[:INVOLVES]->(x))
CREATE (a:AuditEntry {id: row.writeId, name: entry.name, timestamp: entry.timestamp, action: entry.action, domain: entry.domain,
  logType: entry.logType, objectType: entry.objectType, objectId: row.id, caseId: entry.caseId, userId: entry.userId,
  userName: entry.userName, userRole: entry.userRole, means: entry.means, userIP: entry.userIP, requestId: entry.requestId,
  oldValue: entry.oldValue, newValue: entry.newValue, actionResult: entry.actionResult})
FOREACH (key IN row.keys | CREATE (k:IdempotencyKey {id: key.id, name: 'Idempotency key', bodyHash: key.bodyHash, answer: key.answer,
  createdAt: key.createdAt}))
