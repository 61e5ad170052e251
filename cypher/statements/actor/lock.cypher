// Makes sure the actors are there, at least as placeholders, and locks them until the transaction ends, so that what is read stays true.
// $rows: [{id, versionId, writeId}]
// returns: id, asOfDate (null for a placeholder), record (null for a placeholder), version (what was said before as of the row's date, or null),
//   logicalTime (when that was acknowledged; null where an older program wrote it), now (the clock's), screenedFacts (JSON text; or null)
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
SET n.writeId = row.writeId
WITH n, row
OPTIONAL MATCH (v:ActorVersion {id: row.versionId})
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
RETURN n.id AS id, n.asOfDate AS asOfDate, n.record AS record, v.record AS version, v.logicalTime AS logicalTime, clock.time AS now,
  n.screenedFacts AS screenedFacts
