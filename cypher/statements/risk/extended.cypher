// The extended information of actors that is valid now: the one with the latest date.
// $ids: actor ids
// returns: id, record
UNWIND $ids AS id
MATCH (n:Actor {id: id})-[:HAS_EXTENDED_INFORMATION]->(x:ExtendedInformation)
WITH id, x ORDER BY x.asOfDate DESC, x.recordedAt DESC
WITH id, collect(x.record) AS records
RETURN id, records[0] AS record
