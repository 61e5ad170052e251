// Keeps a risk score that somebody has sent, and how the actor stands with it, in one go: the actor has the latest of its scores, and the last one that says
// whether it overrides others, so that no other has to be read. Those of an actor that has none of it yet, as an older program has kept them, are read once.
// No two rows are about one actor.
// $rows: [{id (of the actor), scoreId, key (by which scores are in order: the date that it is as of, when it came, its id), mediumFrom, highFrom (where bands
//   begin), score: {as in risk/score}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
SET n.writeId = row.scoreId
WITH n, row, row.score AS s, n.riskScoreKey AS known
CALL {
  WITH n, known
  WITH n, known
  WHERE known IS NULL
  MATCH (n)-[:HAS_RISK_SCORE]->(o:RiskScore)
  WITH o ORDER BY o.asOfDate DESC, o.ingestedAt DESC, o.id DESC
  RETURN collect([o.asOfDate + '/00' + toString(o.ingestedAt) + '/' + o.id, o.finalScore, o.calculatedScore, o.override, o.asOfDate]) AS former
}
WITH n, row, s, known, former[0] AS last, [one IN former WHERE one[3] IS NOT NULL][0] AS decision
WITH n, row, s, coalesce(known, last[0], '') AS lastKey, coalesce(n.riskScoreAlone, last[1]) AS lastAlone,
  coalesce(n.calculatedRiskScore, last[2]) AS lastCalculated, coalesce(n.riskScoreAsOf, last[4]) AS lastAsOf,
  coalesce(n.riskOverrideKey, decision[0], '') AS decisionKey,
  coalesce(n.riskOverrideScore, CASE WHEN decision[3] = true THEN decision[1] ELSE null END) AS override
WITH n, row, s, row.key > lastKey AS isLast, s.override IS NOT NULL AND row.key > decisionKey AS decides, lastKey, lastAlone, lastCalculated, lastAsOf,
  decisionKey, override
WITH n, row, s, CASE WHEN isLast THEN row.key ELSE lastKey END AS newKey, CASE WHEN isLast THEN s.finalScore ELSE lastAlone END AS alone,
  CASE WHEN isLast THEN s.calculatedScore ELSE lastCalculated END AS calculated, CASE WHEN isLast THEN s.asOfDate ELSE lastAsOf END AS asOf,
  CASE WHEN decides THEN row.key WHEN decisionKey = '' THEN null ELSE decisionKey END AS overrideKey,
  CASE WHEN NOT decides THEN override WHEN s.override = true THEN s.finalScore ELSE null END AS overrideScore
WITH n, row, s, newKey, alone, calculated, asOf, overrideKey, overrideScore, coalesce(overrideScore, alone) AS score, n.riskBand AS before
SET n.riskScoreKey = newKey, n.riskScoreAlone = alone, n.calculatedRiskScore = calculated, n.riskScoreAsOf = asOf, n.riskOverrideKey = overrideKey,
  n.riskOverrideScore = overrideScore, n.riskScore = score, n.riskScoreOverridden = overrideScore IS NOT NULL,
  n.riskBand = CASE WHEN score >= row.highFrom THEN 'high_risk' WHEN score >= row.mediumFrom THEN 'medium_risk' ELSE 'low_risk' END,
  n.riskScoreParts = toInteger(CASE WHEN score > 900000000000000.0 THEN 900000000000000.0 WHEN score < -900000000000000.0 THEN -900000000000000.0
    ELSE score END * 10000.0)
SET n.riskScoreOrder = n.riskScoreParts
CREATE (x:RiskScore {id: row.scoreId, name: s.name, riskRuleId: s.riskRuleId, riskRuleVersion: s.riskRuleVersion, asOfDate: s.asOfDate,
  finalScore: s.finalScore, calculatedScore: s.calculatedScore, override: s.override, overrideReason: s.overrideReason, dataSource: s.dataSource,
  riskBand: s.riskBand, ingestedAt: s.ingestedAt, ingestedBy: s.ingestedBy, record: s.record})
CREATE (x)<-[:HAS_RISK_SCORE]-(n)
