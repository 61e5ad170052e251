// Of each actor the record of the last score that the service has calculated: by the date that it is as of, then by when it was.
// $ids
// returns: id (the actor's), record
UNWIND $ids AS id
MATCH (n:Actor {id: id})
CALL {
  WITH n
  MATCH (n)-[:HAS_RISK_SCORE]->(x:RiskScore)
  WITH x, x.breakdown AS breakdown
  WHERE breakdown IS NOT NULL
  WITH x ORDER BY x.asOfDate DESC, x.ingestedAt DESC, x.id DESC LIMIT 1
  RETURN x.record AS record
}
RETURN n.id AS id, record
