// Transactions that were recorded before: locks them and tells what they had added to the roll-ups and where their devices were seen.
// One that observations have only named was not recorded, and has no row. (The label that it has already is a lock.)
// $rows: [{id}]
// returns: id, record, logicalTime (null where an older program wrote it), now (the clock's), counted, direction, currency, units, nanos, standardUnits,
//   standardNanos, createdAt, recordedAt (since when it is known), numbers, from, to, device, ip
UNWIND $rows AS row
MATCH (t:Transaction {id: row.id})
SET t:Transaction
WITH t
WHERE NOT t:AwaitedTransaction
OPTIONAL MATCH (f:Account)-[:SENT]->(t)
OPTIONAL MATCH (t)-[:RECEIVED_BY]->(s:Account)
OPTIONAL MATCH (t)-[:USED]->(d:Device)
OPTIONAL MATCH (t)-[:CONNECTED_FROM]->(p:IpAddress)
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
RETURN t.id AS id, t.record AS record, t.logicalTime AS logicalTime, clock.time AS now, t.counted AS counted, t.direction AS direction, t.currency AS currency,
  t.amountUnits AS units, t.amountNanos AS nanos, t.standardUnits AS standardUnits, t.standardNanos AS standardNanos,
  t.createdAt AS createdAt, t.recordedAt AS recordedAt, t.counterpartyNumbers AS numbers, f.id AS from, s.id AS to, d.id AS device, p.id AS ip
