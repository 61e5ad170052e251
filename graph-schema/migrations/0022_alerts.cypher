// The alerts queue: observations by their score and by what their payments add up to, and their dismissals. Whoever has no score comes last.
CREATE CONSTRAINT observation_dismissal_id IF NOT EXISTS FOR (n:ObservationDismissal) REQUIRE n.id IS UNIQUE;
MATCH (o:Observation)
WHERE o.record IS NOT NULL AND o.scoreBillionths IS NULL
SET o.scoreBillionths = CASE WHEN o.score IS NULL THEN -1 ELSE toInteger(round(o.score * 1000000000.0)) END;
CREATE INDEX observation_score_billionths IF NOT EXISTS FOR (n:Observation) ON (n.scoreBillionths);
MATCH (o:Observation)
WHERE o.record IS NOT NULL AND o.standardUnits IS NULL
CALL {
  WITH o
  MATCH (o)-[:CITES]->(t:Transaction)
  WITH t.direction AS direction, sum(coalesce(t.standardUnits, 0) / 1000000) AS millions, sum(coalesce(t.standardUnits, 0) % 1000000) AS units,
    sum(coalesce(t.standardNanos, 0)) AS nanos
  WITH CASE WHEN millions >= 9000000000000 THEN 9000000000000000000 ELSE millions * 1000000 + units + nanos / 1000000000 END AS units,
    nanos % 1000000000 AS nanos
  WITH units, nanos ORDER BY units DESC, nanos DESC LIMIT 1
  RETURN collect([units, nanos]) AS totals
}
SET o.standardUnits = CASE WHEN size(totals) = 0 THEN 0 ELSE totals[0][0] END, o.standardNanos = CASE WHEN size(totals) = 0 THEN 0 ELSE totals[0][1] END;
CREATE INDEX observation_standard_units IF NOT EXISTS FOR (n:Observation) ON (n.standardUnits);
