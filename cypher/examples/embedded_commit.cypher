// A payment as the product records one, made short: the payment with its texts, both accounts, the links, the audit entry, the roll-up.
// $rows: [{id, record, from, to, createdAt, entryId}]
// returns: recorded
UNWIND $rows AS row
OPTIONAL MATCH (known:Transaction {id: row.id})
WITH row WHERE known IS NULL
CREATE (t:Transaction {id: row.id, name: '12.3 EUR', record: row.record, createdAt: row.createdAt, accountId: row.from, status: 'COMPLETED', direction: 'OUTBOUND',
  currency: 'EUR', amount: 12.3, amountUnits: 12, amountNanos: 300000000, standardUnits: 12, standardNanos: 300000000, counted: true})
MERGE (f:Account {id: row.from})
ON CREATE SET f:Placeholder, f.name = row.from
MERGE (s:Account {id: row.to})
ON CREATE SET s:Placeholder, s.name = row.to
CREATE (t)<-[:SENT]-(f)
CREATE (t)-[:RECEIVED_BY]->(s)
CREATE (a:AuditEntry {id: row.entryId, name: 'transaction.recorded', timestamp: row.createdAt, action: 'transaction.recorded', objectId: row.id,
  objectType: 'Transaction', userId: 'benchmark', requestId: row.entryId, actionResult: 'SUCCESS'})
WITH f, s, count(*) AS count, min(row.createdAt) AS first, max(row.createdAt) AS last
OPTIONAL MATCH (f)-[old:TRANSFERRED_TO {currency: 'EUR'}]->(s)
WITH f, s, old, count, {currency: 'EUR', sentCount: coalesce(old.sentCount, 0) + count, sentUnits: coalesce(old.sentUnits, 0) + 12 * count,
  first: coalesce(old.first, first), last: last} AS rollup
FOREACH (r IN CASE WHEN old IS NULL THEN [] ELSE [old] END | SET r = rollup)
FOREACH (_ IN CASE WHEN old IS NULL THEN [1] ELSE [] END | CREATE (f)-[r:TRANSFERRED_TO]->(s) SET r = rollup)
RETURN sum(count) AS recorded
