// Keeps a risk score of an actor.
// What may be null is in a CREATE below FOREACH: there the embedded engine does not take a property that no node has yet for a misspelt one.
// $rows: [{id (of the actor), scoreId, score: {name, riskRuleId, riskRuleVersion, asOfDate, finalScore, calculatedScore, override, overrideReason,
//   dataSource, riskBand, ingestedAt, ingestedBy, record}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
FOREACH (s IN [row.score] | CREATE (x:RiskScore {id: row.scoreId, name: s.name, riskRuleId: s.riskRuleId, riskRuleVersion: s.riskRuleVersion,
  asOfDate: s.asOfDate, finalScore: s.finalScore, calculatedScore: s.calculatedScore, override: s.override, overrideReason: s.overrideReason,
  dataSource: s.dataSource, riskBand: s.riskBand, ingestedAt: s.ingestedAt, ingestedBy: s.ingestedBy, record: s.record})
  CREATE (x)<-[:HAS_RISK_SCORE]-(n))
