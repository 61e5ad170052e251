// One payment, as a client that writes to the database for itself would write it: the same nodes, links and properties as transaction/record.
// $id, $props, $from, $to, $owner, $currency, $at, $units, $nanos, $total, $standardUnits, $standardNanos, $audit
MERGE (t:Transaction {id: $id})
SET t += $props
MERGE (f:Account {id: $from})
ON CREATE SET f:Placeholder, f.name = $from
MERGE (s:Account {id: $to})
ON CREATE SET s:Placeholder, s.name = $to
MERGE (o:Actor {id: $owner})
ON CREATE SET o:Placeholder, o.name = $owner
MERGE (f)-[:SENT]->(t)
MERGE (t)-[:RECEIVED_BY]->(s)
MERGE (t)-[:OWNED_BY]->(o)
MERGE (f)-[r:TRANSFERRED_TO {currency: $currency}]->(s)
ON CREATE SET r.first = $at, r.last = $at, r.count = 1, r.largerTally = 'SENT', r.total = $total, r.totalUnits = $units, r.totalNanos = $nanos,
  r.sentCount = 1, r.sentUnits = $units, r.sentNanos = $nanos, r.sentStandardUnits = $standardUnits, r.sentStandardNanos = $standardNanos,
  r.receivedCount = 0, r.receivedUnits = 0, r.receivedNanos = 0, r.receivedStandardUnits = 0, r.receivedStandardNanos = 0
ON MATCH SET r.first = CASE WHEN $at < r.first THEN $at ELSE r.first END, r.last = CASE WHEN $at > r.last THEN $at ELSE r.last END,
  r.count = r.count + 1, r.total = r.total + $total, r.totalUnits = r.totalUnits + $units, r.totalNanos = r.totalNanos + $nanos,
  r.sentCount = r.sentCount + 1, r.sentUnits = r.sentUnits + $units, r.sentNanos = r.sentNanos + $nanos,
  r.sentStandardUnits = r.sentStandardUnits + $standardUnits, r.sentStandardNanos = r.sentStandardNanos + $standardNanos
CREATE (a:AuditEntry {id: $audit.id})
SET a += $audit
