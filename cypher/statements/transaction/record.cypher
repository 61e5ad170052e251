// Records payments between two accounts, with audit entry and idempotency key, and adds them to the roll-ups. The other account is named by its id.
// Left alone, without a trace and missing in the answer: a transaction that was there before.
// Without sub-queries, because the embedded engine writes in place only what has none.
// $batch: a map, so that Neo4j makes one plan for batches of all sizes: planning this takes it seconds. In it
// rows: [{id, writeId, logicalTime (null: that of the clock), account, other (the other account's id, or null), outbound, owner, props: {…}, currency, countedAt (null when it does not
//   count), sentCount, sentUnits, sentNanos, sentStandardUnits, sentStandardNanos, receivedCount, receivedUnits, receivedNanos,
//   receivedStandardUnits, receivedStandardNanos (of these ten those that are not zero), numbers: [at] (their places in the list of
//   record_by_number, the strongest first; none here), pairs: [at] (as numbers), hint (the account whose id is named beside numbers, or null), beside:
//   [at] (of numbers, those beside the hint),
//   externals: [{id, name, numbers: [id], pairs: [{one, other}]}] (to be made), fresh (the external account's id, when it is for numbers that
//   nobody has; or null), devices: [{id, name}], ips: [{id, name}], locations: [id], parties: [{id, name}], audit: {as in trail/append; its
//   id is the writeId, its objectId the id}, keys: [{id, bodyHash, answer, createdAt}]}]
// $batch.changeSet: {id, stamp, createdAt} of the set of these changes
// returns: written (the writeIds of those recorded)
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
WITH {named: [], found: []} AS lookup, clock.time AS now
