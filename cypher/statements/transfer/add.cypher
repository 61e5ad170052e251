// Adds to roll-ups, or takes back with negative tallies. A pair that has no roll-up yet gets one.
// $rows: [{from, to, currency, the ten tallies, first, last}]: one row a pair and currency
// returns: nothing
UNWIND $rows AS row
MATCH (f:Account {id: row.from})
MATCH (s:Account {id: row.to})
WITH f, s, row.currency AS currency, row.sentCount AS sentCount, row.sentUnits AS sentUnits, row.sentNanos AS sentNanos,
  row.sentStandardUnits AS sentStandardUnits, row.sentStandardNanos AS sentStandardNanos, row.receivedCount AS receivedCount,
  row.receivedUnits AS receivedUnits, row.receivedNanos AS receivedNanos, row.receivedStandardUnits AS receivedStandardUnits,
  row.receivedStandardNanos AS receivedStandardNanos, row.first AS first, row.last AS last,
  [1] AS counted
