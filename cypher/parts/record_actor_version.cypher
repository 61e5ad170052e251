// Part of actor/record and actor/record_newer: the record is kept as said of its date.
MERGE (v:ActorVersion {id: row.versionId})
SET v += row.version, v.logicalTime = time
MERGE (v)<-[:HAS_VERSION]-(n)
