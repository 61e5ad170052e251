// Payments by their ids, with what detection and verification go by; their records are left where they are. One that observations have only named has no
// row.
// $ids
// returns: id, accountId, accountOwnerId, from, to (ids of accounts, or null), createdAt, amountUnits, amountNanos, standardUnits, standardNanos, currency,
//   status, direction, counted (true or null), recordedAt, logicalTime, excluded (from monitoring: true or null)
UNWIND $ids AS id
MATCH (t:Transaction {id: id})
WITH t
WHERE NOT t:AwaitedTransaction
OPTIONAL MATCH (f:Account)-[:SENT]->(t)
OPTIONAL MATCH (t)-[:RECEIVED_BY]->(s:Account)
RETURN t.id AS id, t.accountId AS accountId, t.accountOwnerId AS accountOwnerId, f.id AS from, s.id AS to, t.createdAt AS createdAt,
  t.amountUnits AS amountUnits, t.amountNanos AS amountNanos, t.standardUnits AS standardUnits, t.standardNanos AS standardNanos, t.currency AS currency,
  t.status AS status, t.direction AS direction, t.counted AS counted, t.recordedAt AS recordedAt, t.logicalTime AS logicalTime,
  t.excludedFromMonitoring AS excluded
