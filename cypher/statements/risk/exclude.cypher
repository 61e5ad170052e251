// Keeps an exclusion of an actor from monitoring; the latest one counts.
// $rows: [{id (of the actor), exclusionId, exclusion: {name, exclusionType, storedAt}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
MERGE (x:ActorExclusion {id: row.exclusionId})
SET x += row.exclusion
MERGE (x)<-[:HAS_EXCLUSION]-(n)
