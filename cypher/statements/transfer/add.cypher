// Adds to roll-ups, or takes back with negative tallies. A pair that has no roll-up yet gets one.
// $rows: [{from, to, currency, the ten tallies, first, last}]: one row a pair and currency
// returns: nothing
UNWIND $rows AS row
MATCH (f:Account {id: row.from})
MATCH (s:Account {id: row.to})
MERGE (f)-[r:TRANSFERRED_TO {currency: row.currency}]->(s)
ON CREATE SET r.first = row.first, r.last = row.last, r.sentCount = 0, r.sentUnits = 0, r.sentNanos = 0, r.sentStandardUnits = 0, r.sentStandardNanos = 0,
  r.receivedCount = 0, r.receivedUnits = 0, r.receivedNanos = 0, r.receivedStandardUnits = 0, r.receivedStandardNanos = 0
SET r.sentCount = r.sentCount + row.sentCount, r.sentUnits = r.sentUnits + row.sentUnits, r.sentNanos = r.sentNanos + row.sentNanos,
  r.sentStandardUnits = r.sentStandardUnits + row.sentStandardUnits, r.sentStandardNanos = r.sentStandardNanos + row.sentStandardNanos,
  r.receivedCount = r.receivedCount + row.receivedCount, r.receivedUnits = r.receivedUnits + row.receivedUnits, r.receivedNanos = r.receivedNanos + row.receivedNanos,
  r.receivedStandardUnits = r.receivedStandardUnits + row.receivedStandardUnits, r.receivedStandardNanos = r.receivedStandardNanos + row.receivedStandardNanos,
  r.first = CASE WHEN r.first IS NULL OR row.first < r.first THEN row.first ELSE r.first END,
  r.last = CASE WHEN r.last IS NULL OR row.last > r.last THEN row.last ELSE r.last END
SET r.largerTally = CASE
  WHEN r.receivedCount = 0 THEN 'SENT'
  WHEN r.sentCount = 0 THEN 'RECEIVED'
  WHEN (r.sentUnits - r.receivedUnits) + (r.sentNanos - r.receivedNanos) / 1000000000 > 0 THEN 'SENT'
  WHEN (r.sentUnits - r.receivedUnits) + (r.sentNanos - r.receivedNanos) / 1000000000 < 0 THEN 'RECEIVED'
  WHEN (r.sentNanos - r.receivedNanos) % 1000000000 >= 0 THEN 'SENT' ELSE 'RECEIVED' END
SET r.count = CASE WHEN r.sentCount > r.receivedCount THEN r.sentCount ELSE r.receivedCount END,
  r.totalUnits = CASE r.largerTally WHEN 'SENT' THEN r.sentUnits ELSE r.receivedUnits END,
  r.totalNanos = CASE r.largerTally WHEN 'SENT' THEN r.sentNanos ELSE r.receivedNanos END
SET r.total = r.totalUnits + r.totalNanos / 1000000000.0
