// Records payments between two accounts, with audit entry, and adds them to the roll-ups. A transaction that was there before this
// write is left alone and missing in the answer, unless the write has locked it (transaction/lock): then it was made ready for this.
// $rows: [{id, writeId, from, to, owner, props: {…}, currency, countedAt (null when it does not count),
//   sentCount, sentUnits, sentNanos, sentStandardUnits, sentStandardNanos, receivedCount, receivedUnits, receivedNanos, receivedStandardUnits,
//   receivedStandardNanos, externals: [{id, props, numbers: [{id, name}]}], devices: [{id, name}], ips: [{id, name}], locations: [id],
//   parties: [{id, name}], audit: {…}}]
// returns: ids (those recorded, a list for each pair of accounts)
UNWIND $rows AS row
MERGE (t:Transaction {id: row.id})
ON CREATE SET t.writeId = row.writeId
WITH t, row WHERE t.writeId = row.writeId
SET t += row.props
FOREACH (e IN row.externals | MERGE (x:Account {id: e.id}) SET x:ExternalAccount, x += e.props
  FOREACH (i IN e.numbers | MERGE (y:AccountIdentifier {id: i.id}) ON CREATE SET y.name = i.name MERGE (x)-[:IDENTIFIED_BY]->(y)))
MERGE (f:Account {id: row.from})
ON CREATE SET f:Placeholder, f.name = row.from
MERGE (s:Account {id: row.to})
ON CREATE SET s:Placeholder, s.name = row.to
MERGE (o:Actor {id: row.owner})
ON CREATE SET o:Placeholder, o.name = row.owner
CREATE (t)<-[:SENT]-(f)
CREATE (t)-[:RECEIVED_BY]->(s)
CREATE (t)-[:OWNED_BY]->(o)
FOREACH (d IN row.devices | MERGE (x:Device {id: d.id}) ON CREATE SET x.name = d.name CREATE (t)-[:USED]->(x)
  FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name MERGE (x)-[:SEEN_AT]->(y)))
FOREACH (i IN row.ips | MERGE (y:IpAddress {id: i.id}) ON CREATE SET y.name = i.name CREATE (t)-[:CONNECTED_FROM]->(y))
FOREACH (l IN row.locations | MERGE (x:ChannelLocation {id: l}) CREATE (t)-[:AT]->(x))
FOREACH (p IN row.parties | MERGE (x:Actor {id: p.id}) ON CREATE SET x:Placeholder, x.name = p.name CREATE (t)-[:INVOLVES]->(x))
CREATE (a:AuditEntry {id: row.audit.id})
SET a += row.audit
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
    WHEN r.sentUnits + r.sentNanos / 1000000000 > r.receivedUnits + r.receivedNanos / 1000000000 THEN 'SENT'
    WHEN r.sentUnits + r.sentNanos / 1000000000 < r.receivedUnits + r.receivedNanos / 1000000000 THEN 'RECEIVED'
    WHEN r.sentNanos % 1000000000 >= r.receivedNanos % 1000000000 THEN 'SENT' ELSE 'RECEIVED' END
  SET r.count = CASE WHEN r.sentCount > r.receivedCount THEN r.sentCount ELSE r.receivedCount END,
    r.totalUnits = CASE r.largerTally WHEN 'SENT' THEN r.sentUnits ELSE r.receivedUnits END,
    r.totalNanos = CASE r.largerTally WHEN 'SENT' THEN r.sentNanos ELSE r.receivedNanos END
  SET r.total = r.totalUnits + r.totalNanos / 1000000000.0)
RETURN ids
