// Keeps a risk score of an actor.
// $rows: [{id (of the actor), scoreId, score: {name, riskRuleId, riskRuleVersion, asOfDate, finalScore, calculatedScore, override, overrideReason,
//   dataSource, riskBand, ingestedAt, ingestedBy, record}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
CREATE (x:RiskScore {id: row.scoreId, name: row.score.name, riskRuleId: row.score.riskRuleId, riskRuleVersion: row.score.riskRuleVersion,
  asOfDate: row.score.asOfDate, finalScore: row.score.finalScore, calculatedScore: row.score.calculatedScore, override: row.score.override,
  overrideReason: row.score.overrideReason, dataSource: row.score.dataSource, riskBand: row.score.riskBand, ingestedAt: row.score.ingestedAt,
  ingestedBy: row.score.ingestedBy, record: row.score.record})
CREATE (x)<-[:HAS_RISK_SCORE]-(n)
