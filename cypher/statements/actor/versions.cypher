// All versions of actors, the latest date first.
// $ids
// returns: id, rows: [asOfDate, recordedAt, record]
UNWIND $ids AS id
MATCH (n:Actor {id: id})-[:HAS_VERSION]->(v:ActorVersion)
WITH id, v ORDER BY v.asOfDate DESC
RETURN id, collect([v.asOfDate, v.recordedAt, v.record]) AS rows
