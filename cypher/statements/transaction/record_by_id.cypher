// Records payments to or from an account that is named by its id, or an outside party, with audit entry and idempotency key, and adds them to the
// roll-ups: as transaction/record, for rows without numbers. A statement of its own, because the embedded engine writes in place only what has no
// sub-query, and a sub-query a row costs it milliseconds.
// Left alone, without a trace and missing in the answer: a transaction that was there before.
// What may be null is in a CREATE below FOREACH: there the embedded engine does not take a property that no node has yet for a misspelt one.
// $batch: {rows: as for transaction/record}; fresh, numbers and pairs are not read
// returns: ids (those recorded, a list for each pair of accounts)
UNWIND $batch.rows AS row
OPTIONAL MATCH (old:Transaction {id: row.id})
WITH row WHERE old IS NULL
FOREACH (e IN row.externals | MERGE (x:Account {id: e.id}) ON CREATE SET x:ExternalAccount, x.name = e.name
  FOREACH (_ IN CASE WHEN x.name = e.name THEN [] ELSE [1] END | SET x.name = e.name))
WITH row, CASE WHEN row.outbound THEN row.account ELSE row.other END AS from, CASE WHEN row.outbound THEN row.other ELSE row.account END AS to
FOREACH (p IN [row.props] | CREATE (t:Transaction {id: row.id, writeId: row.writeId, name: p.name, record: p.record, recordedAt: p.recordedAt,
  accountId: p.accountId, accountOwnerId: p.accountOwnerId, amount: p.amount, amountUnits: p.amountUnits,
  amountNanos: p.amountNanos, currency: p.currency, standardizedAmount: p.standardizedAmount,
  standardUnits: p.standardUnits, standardNanos: p.standardNanos, createdAt: p.createdAt, direction: p.direction,
  status: p.status, counted: p.counted, counterpartyKind: p.counterpartyKind,
  counterpartyName: p.counterpartyName, counterpartyNumbers: p.counterpartyNumbers, accountBalance: p.accountBalance,
  channel: p.channel, channelLocationId: p.channelLocationId, description: p.description, method: p.method,
  purpose: p.purpose, userId: p.userId, userName: p.userName}))
WITH row, from, to
MATCH (t:Transaction {id: row.id})
MERGE (f:Account {id: from})
ON CREATE SET f:Placeholder, f.name = from
MERGE (s:Account {id: to})
ON CREATE SET s:Placeholder, s.name = to
MERGE (w:Actor {id: row.owner})
ON CREATE SET w:Placeholder, w.name = row.owner
CREATE (t)<-[:SENT]-(f)
CREATE (t)-[:RECEIVED_BY]->(s)
CREATE (t)-[:OWNED_BY]->(w)
FOREACH (d IN row.devices | MERGE (x:Device {id: d.id}) ON CREATE SET x.name = d.name CREATE (t)-[:USED]->(x)
  FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name MERGE (x)-[:SEEN_AT]->(y)))
FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name CREATE (t)-[:CONNECTED_FROM]->(y))
FOREACH (l IN row.locations | MERGE (x:ChannelLocation {id: l}) CREATE (t)-[:AT]->(x))
FOREACH (p IN row.parties | MERGE (x:Actor {id: p.id}) ON CREATE SET x:Placeholder, x.name = p.name CREATE (t)-[:INVOLVES]->(x))
FOREACH (entry IN [row.audit] | CREATE (a:AuditEntry {id: entry.id, name: entry.name, timestamp: entry.timestamp, action: entry.action,
  domain: entry.domain, logType: entry.logType, objectType: entry.objectType, objectId: entry.objectId, caseId: entry.caseId,
  userId: entry.userId, userName: entry.userName, userRole: entry.userRole, means: entry.means, userIP: entry.userIP,
  requestId: entry.requestId, oldValue: entry.oldValue, newValue: entry.newValue, actionResult: entry.actionResult}))
FOREACH (key IN row.keys | CREATE (k:IdempotencyKey {id: key.id, name: 'Idempotency key', bodyHash: key.bodyHash, answer: key.answer,
  createdAt: key.createdAt}))
WITH f, s, row.currency AS currency, collect(row.id) AS ids,
  sum(row.sentCount) AS sentCount, sum(row.sentUnits) AS sentUnits, sum(row.sentNanos) AS sentNanos,
  sum(row.sentStandardUnits) AS sentStandardUnits, sum(row.sentStandardNanos) AS sentStandardNanos,
  sum(row.receivedCount) AS receivedCount, sum(row.receivedUnits) AS receivedUnits, sum(row.receivedNanos) AS receivedNanos,
  sum(row.receivedStandardUnits) AS receivedStandardUnits, sum(row.receivedStandardNanos) AS receivedStandardNanos,
  min(row.countedAt) AS first, max(row.countedAt) AS last
FOREACH (_ IN CASE WHEN sentCount + receivedCount > 0 THEN [1] ELSE [] END |
  MERGE (f)-[r:TRANSFERRED_TO {currency: currency}]->(s)
  ON CREATE SET r.first = first, r.last = last, r.sentCount = 0, r.sentUnits = 0, r.sentNanos = 0, r.sentStandardUnits = 0, r.sentStandardNanos = 0,
    r.receivedCount = 0, r.receivedUnits = 0, r.receivedNanos = 0, r.receivedStandardUnits = 0, r.receivedStandardNanos = 0
  SET r.sentCount = r.sentCount + sentCount, r.sentUnits = r.sentUnits + sentUnits, r.sentNanos = r.sentNanos + sentNanos,
    r.sentStandardUnits = r.sentStandardUnits + sentStandardUnits, r.sentStandardNanos = r.sentStandardNanos + sentStandardNanos,
    r.receivedCount = r.receivedCount + receivedCount, r.receivedUnits = r.receivedUnits + receivedUnits, r.receivedNanos = r.receivedNanos + receivedNanos,
    r.receivedStandardUnits = r.receivedStandardUnits + receivedStandardUnits, r.receivedStandardNanos = r.receivedStandardNanos + receivedStandardNanos,
    r.first = CASE WHEN r.first IS NULL OR first < r.first THEN first ELSE r.first END,
    r.last = CASE WHEN r.last IS NULL OR last > r.last THEN last ELSE r.last END
  SET r.largerTally = CASE
    WHEN r.receivedCount = 0 THEN 'SENT'
    WHEN r.sentCount = 0 THEN 'RECEIVED'
    WHEN (r.sentUnits - r.receivedUnits) + (r.sentNanos - r.receivedNanos) / 1000000000 > 0 THEN 'SENT'
    WHEN (r.sentUnits - r.receivedUnits) + (r.sentNanos - r.receivedNanos) / 1000000000 < 0 THEN 'RECEIVED'
    WHEN (r.sentNanos - r.receivedNanos) % 1000000000 >= 0 THEN 'SENT' ELSE 'RECEIVED' END
  SET r.count = CASE WHEN r.sentCount > r.receivedCount THEN r.sentCount ELSE r.receivedCount END,
    r.totalUnits = CASE r.largerTally WHEN 'SENT' THEN r.sentUnits ELSE r.receivedUnits END,
    r.totalNanos = CASE r.largerTally WHEN 'SENT' THEN r.sentNanos ELSE r.receivedNanos END
  SET r.total = r.totalUnits + r.totalNanos / 1000000000.0)
RETURN ids
