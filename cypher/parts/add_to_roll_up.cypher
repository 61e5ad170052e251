// Part of transaction/record and transfer/add: adds tallies to the roll-up between f and s, or takes back what is negative. Most pairs are new: these
// get theirs without a look at what was there.
MERGE (f)-[r:TRANSFERRED_TO {currency: currency}]->(s)
ON CREATE SET r.sentCount = sentCount, r.sentUnits = sentUnits, r.sentNanos = sentNanos, r.sentStandardUnits = sentStandardUnits,
  r.sentStandardNanos = sentStandardNanos, r.receivedCount = receivedCount, r.receivedUnits = receivedUnits, r.receivedNanos = receivedNanos,
  r.receivedStandardUnits = receivedStandardUnits, r.receivedStandardNanos = receivedStandardNanos, r.first = first, r.last = last
ON MATCH SET r.sentCount = r.sentCount + sentCount, r.sentUnits = r.sentUnits + sentUnits, r.sentNanos = r.sentNanos + sentNanos,
  r.sentStandardUnits = r.sentStandardUnits + sentStandardUnits, r.sentStandardNanos = r.sentStandardNanos + sentStandardNanos,
  r.receivedCount = r.receivedCount + receivedCount, r.receivedUnits = r.receivedUnits + receivedUnits,
  r.receivedNanos = r.receivedNanos + receivedNanos, r.receivedStandardUnits = r.receivedStandardUnits + receivedStandardUnits,
  r.receivedStandardNanos = r.receivedStandardNanos + receivedStandardNanos,
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
SET r.total = r.totalUnits + r.totalNanos / 1000000000.0
