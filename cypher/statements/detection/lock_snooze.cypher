// Locks the actors of snoozes until the transaction ends, as whoever snoozes for them does. A snooze that is not there has no row.
// $rows: [{id, writeId}]
// returns: id, until (epoch milliseconds), endedAt (or null)
UNWIND $rows AS row
MATCH (z:Snooze {id: row.id})-[:SNOOZED_FOR]->(a:Actor)
SET a.writeId = row.writeId
RETURN z.id AS id, z.until AS until, z.endedAt AS endedAt
