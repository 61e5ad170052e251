// One payment to whoever has a number, by hand: a known account before one that payments have made, which is made where nobody has the number. The
// number is locked first, so that an account that arrives with it meanwhile waits; without that both would make theirs.
// $id, $props, $from, $number, $numberName, $external (the account's id where nobody has the number), $owner, $currency, $at, $units, $nanos, $total,
// $standardUnits, $standardNanos, $audit
MERGE (i:AccountIdentifier {id: $number})
ON CREATE SET i.name = $numberName
SET i.paid = true
WITH i
OPTIONAL MATCH (i)<-[l:IDENTIFIED_BY]-(h:Account)
WITH i, h ORDER BY CASE l.source WHEN 'PAYMENT' THEN 1 ELSE 0 END, h.id LIMIT 1
FOREACH (_ IN CASE WHEN h IS NULL THEN [1] ELSE [] END |
  MERGE (x:Account {id: $external})
  ON CREATE SET x:ExternalAccount, x.name = $numberName
  MERGE (x)-[l:IDENTIFIED_BY]->(i)
  ON CREATE SET l.source = 'PAYMENT')
WITH coalesce(h.id, $external) AS to
MATCH (s:Account {id: to})
MERGE (t:Transaction {id: $id})
SET t += $props
MERGE (f:Account {id: $from})
ON CREATE SET f:Placeholder, f.name = $from
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
