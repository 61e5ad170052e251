// Keeps what was said of an actor as of a date; said again for the same date, it replaces what was said before. For what is
// not the present (actor/record keeps that as well).
// $rows: [{id, versionId, version: {name, asOfDate, recordedAt, recordedBy, record}, logicalTime}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:Actor {id: row.id})
MERGE (v:ActorVersion {id: row.versionId})
SET v += row.version, v.logicalTime = row.logicalTime
MERGE (v)<-[:HAS_VERSION]-(n)
