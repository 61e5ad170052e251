// Part of all that changes whom cases `c` focus on, or the risk of those: the highest band of them, as a number; 0 where none has a score.
WITH DISTINCT c
CALL {
  WITH c
  MATCH (c)-[:FOCUSES_ON]->(focused:Actor)
  RETURN collect(focused.riskBand) AS bands
}
SET c.riskOrder = CASE WHEN 'high_risk' IN bands THEN 3 WHEN 'medium_risk' IN bands THEN 2 WHEN 'low_risk' IN bands THEN 1 ELSE 0 END
