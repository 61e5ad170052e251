// Many payments, as a loading script would write them: raw/record for each row.
// $rows: [{id, props, from, to, owner, currency, at, units, nanos, total, standardUnits, standardNanos, audit}]
UNWIND $rows AS row
MERGE (t:Transaction {id: row.id})
SET t += row.props
MERGE (f:Account {id: row.from})
ON CREATE SET f:Placeholder, f.name = row.from
MERGE (s:Account {id: row.to})
ON CREATE SET s:Placeholder, s.name = row.to
MERGE (o:Actor {id: row.owner})
ON CREATE SET o:Placeholder, o.name = row.owner
MERGE (f)-[:SENT]->(t)
MERGE (t)-[:RECEIVED_BY]->(s)
MERGE (t)-[:OWNED_BY]->(o)
MERGE (f)-[r:TRANSFERRED_TO {currency: row.currency}]->(s)
ON CREATE SET r.first = row.at, r.last = row.at, r.count = 1, r.largerTally = 'SENT', r.total = row.total, r.totalUnits = row.units, r.totalNanos = row.nanos,
  r.sentCount = 1, r.sentUnits = row.units, r.sentNanos = row.nanos, r.sentStandardUnits = row.standardUnits,
  r.sentStandardNanos = row.standardNanos,
  r.receivedCount = 0, r.receivedUnits = 0, r.receivedNanos = 0, r.receivedStandardUnits = 0, r.receivedStandardNanos = 0
ON MATCH SET r.first = CASE WHEN row.at < r.first THEN row.at ELSE r.first END, r.last = CASE WHEN row.at > r.last THEN row.at ELSE r.last END,
  r.count = r.count + 1, r.total = r.total + row.total, r.totalUnits = r.totalUnits + row.units, r.totalNanos = r.totalNanos + row.nanos,
  r.sentCount = r.sentCount + 1, r.sentUnits = r.sentUnits + row.units, r.sentNanos = r.sentNanos + row.nanos,
  r.sentStandardUnits = r.sentStandardUnits + row.standardUnits, r.sentStandardNanos = r.sentStandardNanos + row.standardNanos
CREATE (a:AuditEntry {id: row.audit.id})
SET a += row.audit
