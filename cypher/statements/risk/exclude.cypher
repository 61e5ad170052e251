// Keeps an exclusion of an actor from monitoring; the latest one counts.
// $rows: [{id (of the actor), exclusionId, exclusion: {name, exclusionType, storedAt, recordedAt}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
CREATE (x:ActorExclusion {id: row.exclusionId, name: row.exclusion.name, exclusionType: row.exclusion.exclusionType,
  storedAt: row.exclusion.storedAt, recordedAt: row.exclusion.recordedAt})
CREATE (x)<-[:HAS_EXCLUSION]-(n)
