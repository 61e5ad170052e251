// Makes sure the accounts are there, at least as placeholders, and locks them until the transaction ends, so that what is read stays true.
// $rows: [{id, versionId, writeId}]
// returns: id, asOfDate (null for a placeholder), record (null for a placeholder), version (what was said before as of the row's date, or null),
//   logicalTime (when that was acknowledged; null where an older program wrote it), now (the clock's), numbers (ids of those that its own record names,
//   and its own id where payments have named it beside numbers)
UNWIND $rows AS row
MERGE (n:Account {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
SET n.writeId = row.writeId
WITH n, row
OPTIONAL MATCH (v:AccountVersion {id: row.versionId})
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
WITH n, v, clock.time AS now
OPTIONAL MATCH (n)-[l:IDENTIFIED_BY|HINTED_BY]->(i:AccountIdentifier)
WHERE l.source = 'RECORD' OR type(l) = 'HINTED_BY'
RETURN n.id AS id, n.asOfDate AS asOfDate, n.record AS record, v.record AS version, v.logicalTime AS logicalTime, now,
  collect(i.id) AS numbers
