// Part of transaction/record, transaction/record_by_number and transfer/add: where [1] AS counted says so, adds tallies to the roll-up between f and
// s in a currency, or takes back what is negative. One row a pair and currency. Not by MERGE, which goes twice through the links of an account for
// one that is not there: the sender is locked, then it is read whether there is a roll-up, and so of two who come at the same moment the second finds
// what the first has made. While others link a fiftieth record to the receiver, Neo4j may read a roll-up twice, or miss it. So what is read is taken
// once, and before one is said to be missing the receiver is locked as well, and it is read again.
// Where units have become very many, part of them goes on in a carry of 10^18 units each, long before they would pass 64
// bits: what one statement adds is below 10^18. A pair with less has no property for it. (To Neo4j a label that a node has already is a lock and no
// change; the embedded engine, where one writes at a time, does nothing.)
// allows: 16 because one row is about one roll-up
FOREACH (_ IN counted | SET f:Account)
WITH *
OPTIONAL MATCH (f)-[seen:TRANSFERRED_TO {currency: currency}]->(s)
WITH DISTINCT *
FOREACH (_ IN CASE WHEN seen IS NULL THEN counted ELSE [] END | SET s:Account)
WITH *
OPTIONAL MATCH (f)-[missed:TRANSFERRED_TO {currency: currency}]->(s) WHERE seen IS NULL
WITH *, coalesce(seen, missed) AS r
WITH *, CASE
  WHEN receivedCount = 0 THEN 'SENT'
  WHEN sentCount = 0 THEN 'RECEIVED'
  WHEN (sentUnits - receivedUnits) + (sentNanos - receivedNanos) / 1000000000 > 0 THEN 'SENT'
  WHEN (sentUnits - receivedUnits) + (sentNanos - receivedNanos) / 1000000000 < 0 THEN 'RECEIVED'
  WHEN (sentNanos - receivedNanos) % 1000000000 >= 0 THEN 'SENT' ELSE 'RECEIVED' END AS largerTally
WITH *, CASE largerTally WHEN 'SENT' THEN sentUnits ELSE receivedUnits END AS totalUnits,
  CASE largerTally WHEN 'SENT' THEN sentNanos ELSE receivedNanos END AS totalNanos
FOREACH (_ IN CASE WHEN r IS NULL THEN counted ELSE [] END |
  CREATE (f)-[:TRANSFERRED_TO {currency: currency, sentCount: sentCount, sentUnits: sentUnits, sentNanos: sentNanos,
    sentStandardUnits: sentStandardUnits, sentStandardNanos: sentStandardNanos, receivedCount: receivedCount, receivedUnits: receivedUnits,
    receivedNanos: receivedNanos, receivedStandardUnits: receivedStandardUnits, receivedStandardNanos: receivedStandardNanos, first: first, last: last,
    largerTally: largerTally, count: CASE WHEN sentCount > receivedCount THEN sentCount ELSE receivedCount END, totalUnits: totalUnits,
    totalNanos: totalNanos, total: totalUnits + totalNanos / 1000000000.0}]->(s))
FOREACH (_ IN CASE WHEN r IS NULL THEN [] ELSE counted END |
  SET r.sentCount = r.sentCount + sentCount, r.sentUnits = r.sentUnits + sentUnits, r.sentNanos = r.sentNanos + sentNanos,
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
  FOREACH (_ IN CASE WHEN r.totalCarry IS NOT NULL OR abs(r.sentUnits) >= 2000000000000000000 OR abs(r.receivedUnits) >= 2000000000000000000
    OR abs(r.sentStandardUnits) >= 2000000000000000000 OR abs(r.receivedStandardUnits) >= 2000000000000000000 THEN [1] ELSE [] END |
    SET r.sentCarry = coalesce(r.sentCarry, 0) + r.sentUnits / 1000000000000000000,
      r.sentStandardCarry = coalesce(r.sentStandardCarry, 0) + r.sentStandardUnits / 1000000000000000000,
      r.receivedCarry = coalesce(r.receivedCarry, 0) + r.receivedUnits / 1000000000000000000,
      r.receivedStandardCarry = coalesce(r.receivedStandardCarry, 0) + r.receivedStandardUnits / 1000000000000000000
    SET r.sentUnits = r.sentUnits % 1000000000000000000, r.sentStandardUnits = r.sentStandardUnits % 1000000000000000000,
      r.receivedUnits = r.receivedUnits % 1000000000000000000, r.receivedStandardUnits = r.receivedStandardUnits % 1000000000000000000
    SET r.largerTally = CASE
      WHEN r.receivedCount = 0 THEN 'SENT'
      WHEN r.sentCount = 0 THEN 'RECEIVED'
      WHEN (r.sentCarry - r.receivedCarry) + ((r.sentUnits - r.receivedUnits) + (r.sentNanos - r.receivedNanos) / 1000000000) / 1000000000000000000 > 0
        THEN 'SENT'
      WHEN (r.sentCarry - r.receivedCarry) + ((r.sentUnits - r.receivedUnits) + (r.sentNanos - r.receivedNanos) / 1000000000) / 1000000000000000000 < 0
        THEN 'RECEIVED'
      WHEN ((r.sentUnits - r.receivedUnits) + (r.sentNanos - r.receivedNanos) / 1000000000) % 1000000000000000000 > 0 THEN 'SENT'
      WHEN ((r.sentUnits - r.receivedUnits) + (r.sentNanos - r.receivedNanos) / 1000000000) % 1000000000000000000 < 0 THEN 'RECEIVED'
      WHEN (r.sentNanos - r.receivedNanos) % 1000000000 >= 0 THEN 'SENT' ELSE 'RECEIVED' END
    SET r.totalCarry = CASE r.largerTally WHEN 'SENT' THEN r.sentCarry ELSE r.receivedCarry END,
      r.totalUnits = CASE r.largerTally WHEN 'SENT' THEN r.sentUnits ELSE r.receivedUnits END,
      r.totalNanos = CASE r.largerTally WHEN 'SENT' THEN r.sentNanos ELSE r.receivedNanos END
    SET r.total = r.totalCarry * 1000000000000000000.0 + r.totalUnits + r.totalNanos / 1000000000.0))
