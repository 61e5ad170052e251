// Makes sure the actors are there, at least as placeholders, locks them until the transaction ends, and tells their scores.
// $rows: [{id, writeId}]
// returns: id, scores: [[id, asOfDate, ingestedAt, finalScore, calculatedScore, override, overrideReason, overriddenBy, breakdown, dataSource, exposure,
//   volumeAgainstSegment, riskRuleId]]
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
SET n.writeId = row.writeId
WITH n
CALL {
  WITH n
  MATCH (n)-[:HAS_RISK_SCORE]->(x:RiskScore)
  WITH x ORDER BY x.id
  RETURN collect([x.id, x.asOfDate, x.ingestedAt, x.finalScore, x.calculatedScore, x.override, x.overrideReason, x.overriddenBy, x.breakdown,
    x.dataSource, x.exposure, x.volumeAgainstSegment, x.riskRuleId]) AS scores
}
RETURN n.id AS id, scores
