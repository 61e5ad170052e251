// Part of transaction/record and transfer/add: adds tallies to the roll-up between f and s, or takes back what is negative.
MERGE (f)-[r:TRANSFERRED_TO {currency: currency}]->(s)
SET r += {sentCount: coalesce(r.sentCount, 0) + sentCount, sentUnits: coalesce(r.sentUnits, 0) + sentUnits,
  sentNanos: coalesce(r.sentNanos, 0) + sentNanos, sentStandardUnits: coalesce(r.sentStandardUnits, 0) + sentStandardUnits,
  sentStandardNanos: coalesce(r.sentStandardNanos, 0) + sentStandardNanos, receivedCount: coalesce(r.receivedCount, 0) + receivedCount,
  receivedUnits: coalesce(r.receivedUnits, 0) + receivedUnits, receivedNanos: coalesce(r.receivedNanos, 0) + receivedNanos,
  receivedStandardUnits: coalesce(r.receivedStandardUnits, 0) + receivedStandardUnits,
  receivedStandardNanos: coalesce(r.receivedStandardNanos, 0) + receivedStandardNanos,
  first: CASE WHEN r.first IS NULL OR first < r.first THEN first ELSE r.first END,
  last: CASE WHEN r.last IS NULL OR last > r.last THEN last ELSE r.last END}
SET r.largerTally = CASE
  WHEN r.receivedCount = 0 THEN 'SENT'
  WHEN r.sentCount = 0 THEN 'RECEIVED'
  WHEN (r.sentUnits - r.receivedUnits) + (r.sentNanos - r.receivedNanos) / 1000000000 > 0 THEN 'SENT'
  WHEN (r.sentUnits - r.receivedUnits) + (r.sentNanos - r.receivedNanos) / 1000000000 < 0 THEN 'RECEIVED'
  WHEN (r.sentNanos - r.receivedNanos) % 1000000000 >= 0 THEN 'SENT' ELSE 'RECEIVED' END
SET r += {count: CASE WHEN r.sentCount > r.receivedCount THEN r.sentCount ELSE r.receivedCount END,
  totalUnits: CASE r.largerTally WHEN 'SENT' THEN r.sentUnits ELSE r.receivedUnits END,
  totalNanos: CASE r.largerTally WHEN 'SENT' THEN r.sentNanos ELSE r.receivedNanos END}
SET r.total = r.totalUnits + r.totalNanos / 1000000000.0
