// Records actors at once that are new, or of which something newer is said, or something else of the same date: as actor/record, with the audit entry
// and the idempotency key of each. Leaves the others alone but for the mark of the lock: what is said of the past, what was acknowledged before that which
// is stored of the same date, what is stored word for word (unless actors are screened, and this one came when they were not), and a placeholder that has
// identities, which it keeps. All rows are in one map, so that Neo4j makes one plan for batches of all sizes.
// $batch.rows: [{as in actor/record, but logicalTime null: that of the clock; writeId, audit: {as in trail/append}, keys: [{as in trail/append}]}]
// $batch.changeSet: {id, stamp, createdAt} of the set of these changes
// returns: written (the writeIds of those recorded)
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
WITH clock.time AS now
UNWIND $batch.rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n.name = row.id
SET n.writeId = row.writeId
WITH n, row, coalesce(row.logicalTime, now) AS time, n.record AS former
WHERE former IS NULL OR n.asOfDate < row.version.asOfDate
  OR (n.asOfDate = row.version.asOfDate AND (n.logicalTime IS NULL OR n.logicalTime <= time)
    AND (former <> row.version.record OR (n.screenedFacts IS NULL AND size(row.screenings) > 0)))
OPTIONAL MATCH (n)-[old:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]->()
WITH n, row, time, former, collect(old) AS before
WHERE former IS NOT NULL OR size(before) = 0
FOREACH (old IN before | DELETE old)
