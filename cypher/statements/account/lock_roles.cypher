// Locks accounts until the transaction ends, and tells which roles an actor has on each, and had. Both are there afterwards, at least as placeholders,
// where a role is to be given.
// $rows: [{key (of both ids), id (of the account), actor, writeId, given: [true] or []}]
// returns: id (the key), now (the clock's time), link (HAS_ROLE, HAD_ROLE; or null where there is none), role, asOfDate, logicalTime (when that was
//   acknowledged; null where an older program wrote it), removedTime (when a removal was acknowledged; of HAD_ROLE alone), since (when it was written;
//   null where an older program did), until (when it was ended; of HAD_ROLE alone)
UNWIND $rows AS row
FOREACH (_ IN row.given |
  MERGE (x:Account {id: row.id}) ON CREATE SET x:Placeholder, x.name = row.id
  MERGE (y:Actor {id: row.actor}) ON CREATE SET y:Placeholder, y.name = row.actor)
WITH row
MATCH (n:Account {id: row.id})
SET n.writeId = row.writeId
WITH row, n
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
WITH row, n, clock.time AS now
OPTIONAL MATCH (n)<-[r:HAS_ROLE|HAD_ROLE]-(a:Actor {id: row.actor})
RETURN row.key AS id, now, type(r) AS link, r.role AS role, r.asOfDate AS asOfDate, r.logicalTime AS logicalTime, r.removedTime AS removedTime,
  r.since AS since, r.until AS until
