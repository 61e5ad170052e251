// Keeps an actor's extended information as of a date.
// $rows: [{id (of the actor), informationId, information: {name, asOfDate, recordedAt, recordedBy, record, …}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
MERGE (x:ExtendedInformation {id: row.informationId})
SET x += row.information
MERGE (x)<-[:HAS_EXTENDED_INFORMATION]-(n)
