// The scores of actors.
// $ids
// returns: id (the actor's), scores (as in risk/lock_scores)
UNWIND $ids AS id
MATCH (n:Actor {id: id})
CALL {
  WITH n
  MATCH (n)-[:HAS_RISK_SCORE]->(x:RiskScore)
  WITH x ORDER BY x.id
  RETURN collect([x.id, x.asOfDate, x.ingestedAt, x.finalScore, x.calculatedScore, x.override, x.overrideReason, x.overriddenBy, x.breakdown,
    x.dataSource, x.exposure, x.volumeAgainstSegment, x.riskRuleId]) AS scores
}
RETURN n.id AS id, scores
