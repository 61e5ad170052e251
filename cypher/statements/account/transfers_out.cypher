// What an external account has sent, by its roll-ups, so that the account that takes it over can add it to its own.
// $external
// returns: to (the external account's own id for payments to itself), currency and the tallies
MATCH (e:Account {id: $external})-[r:TRANSFERRED_TO]->(other:Account)
RETURN other.id AS to, r.currency AS currency, r.sentCount AS sentCount, r.sentUnits AS sentUnits, r.sentNanos AS sentNanos,
  r.sentStandardUnits AS sentStandardUnits, r.sentStandardNanos AS sentStandardNanos,
  r.receivedCount AS receivedCount, r.receivedUnits AS receivedUnits, r.receivedNanos AS receivedNanos,
  r.receivedStandardUnits AS receivedStandardUnits, r.receivedStandardNanos AS receivedStandardNanos,
  r.first AS first, r.last AS last
