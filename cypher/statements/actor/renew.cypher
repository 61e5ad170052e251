// Notes that what is stored of actors that are locked (actor/lock) as of a date was acknowledged again, word for word.
// $rows: [{versionId, logicalTime, present: [id] where that is the present, or []}]
// returns: nothing
UNWIND $rows AS row
MATCH (v:ActorVersion {id: row.versionId})
SET v.logicalTime = row.logicalTime
FOREACH (id IN row.present | MERGE (n:Actor {id: id}) SET n.logicalTime = row.logicalTime)
