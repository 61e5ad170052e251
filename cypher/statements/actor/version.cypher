// Actors as they were known to be on a date: the version with the latest date up to it.
// $ids, $asOf: a date
// returns: id, asOfDate, record
UNWIND $ids AS id
MATCH (n:Actor {id: id})-[:HAS_VERSION]->(v:ActorVersion)
WHERE v.asOfDate <= $asOf
WITH id, v ORDER BY v.asOfDate DESC
WITH id, collect([v.asOfDate, v.record]) AS versions
RETURN id, versions[0][0] AS asOfDate, versions[0][1] AS record
