// Many payments to whoever has a number, as a loading script would write them: raw/record_by_number for each row.
// $rows: [{id, props, from, number, numberName, external, owner, currency, at, units, nanos, total, standardUnits, standardNanos, audit}]
UNWIND $rows AS row
MERGE (i:AccountIdentifier {id: row.number})
ON CREATE SET i.name = row.numberName
SET i.paid = true
WITH i, row
CALL {
  WITH i
  OPTIONAL MATCH (i)<-[l:IDENTIFIED_BY]-(h:Account)
  WITH h ORDER BY CASE l.source WHEN 'PAYMENT' THEN 1 ELSE 0 END, h.id LIMIT 1
  RETURN h.id AS holder
}
FOREACH (_ IN CASE WHEN holder IS NULL THEN [1] ELSE [] END |
  MERGE (x:Account {id: row.external})
  ON CREATE SET x:ExternalAccount, x.name = row.numberName
  MERGE (x)-[l:IDENTIFIED_BY]->(i)
  ON CREATE SET l.source = 'PAYMENT')
WITH row, coalesce(holder, row.external) AS to
MATCH (s:Account {id: to})
MERGE (t:Transaction {id: row.id})
SET t += row.props
MERGE (f:Account {id: row.from})
ON CREATE SET f:Placeholder, f.name = row.from
MERGE (o:Actor {id: row.owner})
ON CREATE SET o:Placeholder, o.name = row.owner
MERGE (f)-[:SENT]->(t)
MERGE (t)-[:RECEIVED_BY]->(s)
MERGE (t)-[:OWNED_BY]->(o)
MERGE (f)-[r:TRANSFERRED_TO {currency: row.currency}]->(s)
ON CREATE SET r.first = row.at, r.last = row.at, r.count = 1, r.largerTally = 'SENT', r.total = row.total, r.totalUnits = row.units, r.totalNanos = row.nanos,
  r.sentCount = 1, r.sentUnits = row.units, r.sentNanos = row.nanos, r.sentStandardUnits = row.standardUnits, r.sentStandardNanos = row.standardNanos,
  r.receivedCount = 0, r.receivedUnits = 0, r.receivedNanos = 0, r.receivedStandardUnits = 0, r.receivedStandardNanos = 0
ON MATCH SET r.first = CASE WHEN row.at < r.first THEN row.at ELSE r.first END, r.last = CASE WHEN row.at > r.last THEN row.at ELSE r.last END,
  r.count = r.count + 1, r.total = r.total + row.total, r.totalUnits = r.totalUnits + row.units, r.totalNanos = r.totalNanos + row.nanos,
  r.sentCount = r.sentCount + 1, r.sentUnits = r.sentUnits + row.units, r.sentNanos = r.sentNanos + row.nanos,
  r.sentStandardUnits = r.sentStandardUnits + row.standardUnits, r.sentStandardNanos = r.sentStandardNanos + row.standardNanos
CREATE (a:AuditEntry {id: row.audit.id})
SET a += row.audit
