// What an external account has received from others, by its roll-ups.
// $external
// returns: from, currency and the tallies
MATCH (e:Account {id: $external})<-[r:TRANSFERRED_TO]-(other:Account)
WHERE other.id <> $external
RETURN other.id AS from, r.currency AS currency, r.sentCount AS sentCount, r.sentUnits AS sentUnits, r.sentNanos AS sentNanos,
  r.sentStandardUnits AS sentStandardUnits, r.sentStandardNanos AS sentStandardNanos,
  r.receivedCount AS receivedCount, r.receivedUnits AS receivedUnits, r.receivedNanos AS receivedNanos,
  r.receivedStandardUnits AS receivedStandardUnits, r.receivedStandardNanos AS receivedStandardNanos,
  r.first AS first, r.last AS last
