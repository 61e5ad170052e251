// Keeps a risk score of an actor that the service has calculated, and how the actor stands with it.
// $rows: [{id (of the actor), scoreId, score: {name, riskRuleId, riskRuleVersion, asOfDate, finalScore, calculatedScore, override, overrideReason,
//   dataSource, riskBand, ingestedAt, ingestedBy, record}, more: {ruleName, overriddenBy, breakdown, exposure, volumeAgainstSegment} (or some of them),
//   standing: {riskScore, riskBand, riskScoreAsOf, calculatedRiskScore, riskScoreOverridden, riskScoreParts (ten-thousandths),
//   riskScoreOrder (the same), riskScoreKey, riskScoreAlone, riskOverrideKey, riskOverrideScore}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
WITH n, row, n.riskBand AS before
SET n += row.standing
WITH n, row, before, row.score AS s
CREATE (x:RiskScore {id: row.scoreId, name: s.name, riskRuleId: s.riskRuleId, riskRuleVersion: s.riskRuleVersion, asOfDate: s.asOfDate,
  finalScore: s.finalScore, calculatedScore: s.calculatedScore, override: s.override, overrideReason: s.overrideReason, dataSource: s.dataSource,
  riskBand: s.riskBand, ingestedAt: s.ingestedAt, ingestedBy: s.ingestedBy, record: s.record})
SET x += row.more
CREATE (x)<-[:HAS_RISK_SCORE]-(n)
