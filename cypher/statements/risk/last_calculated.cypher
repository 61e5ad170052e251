// Of each actor the record of the last score that the service has calculated: by the date that it is as of, then by when it was.
// $ids
// returns: id (the actor's), record
UNWIND $ids AS id
MATCH (n:Actor {id: id})-[:HAS_RISK_SCORE]->(x:RiskScore)
WITH id, x, x.breakdown AS breakdown
WHERE breakdown IS NOT NULL
WITH id, x ORDER BY x.asOfDate DESC, x.ingestedAt DESC, x.id DESC
WITH id, collect(x.record) AS records
RETURN id, records[0] AS record
