// Part of transaction/record and transaction/record_by_number: the accounts at both ends, and what is to be added to the roll-up of each pair, in the
// order in which senders are locked everywhere.
// allows: 19 because a transaction has fewer rows than it takes: whole units have 15 digits at most
MERGE (f:Account {id: from})
ON CREATE SET f:Placeholder, f.name = from
MERGE (s:Account {id: to})
ON CREATE SET s:Placeholder, s.name = to
CREATE (t)<-[:SENT]-(f)
CREATE (t)-[:RECEIVED_BY]->(s)
WITH f, s, row.currency AS currency, collect(row.writeId) AS ids,
  sum(row.sentCount) AS sentCount, sum(row.sentUnits) AS sentUnits, sum(row.sentNanos) AS sentNanos,
  sum(row.sentStandardUnits) AS sentStandardUnits, sum(row.sentStandardNanos) AS sentStandardNanos,
  sum(row.receivedCount) AS receivedCount, sum(row.receivedUnits) AS receivedUnits, sum(row.receivedNanos) AS receivedNanos,
  sum(row.receivedStandardUnits) AS receivedStandardUnits, sum(row.receivedStandardNanos) AS receivedStandardNanos,
  min(row.countedAt) AS first, max(row.countedAt) AS last
WITH *, CASE WHEN sentCount + receivedCount > 0 THEN [1] ELSE [] END AS counted ORDER BY f.id
