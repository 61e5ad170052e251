// How actors stand by scores that an older program has kept: the place of the latest score among all, what it says where none overrides it, and the same of
// the last one that says whether it overrides. As risk/add_score has it.
MATCH (n:Actor)
WHERE n.id > $after
WITH n ORDER BY n.id LIMIT 2000
WITH n, n.riskScoreKey AS known
CALL {
  WITH n, known
  WITH n, known
  WHERE known IS NULL
  MATCH (n)-[:HAS_RISK_SCORE]->(o:RiskScore)
  WITH o ORDER BY o.asOfDate DESC, o.ingestedAt DESC, o.id DESC
  RETURN collect([o.asOfDate + '/00' + toString(o.ingestedAt) + '/' + o.id, o.finalScore, o.calculatedScore, o.override, o.overriddenBy]) AS former
}
WITH n, former[0] AS latest, [one IN former WHERE one[3] IS NOT NULL AND one[4] IS NULL][0] AS decision
WITH n, latest[0] AS place, CASE WHEN latest[4] IS NULL THEN latest[1] ELSE coalesce(latest[2], latest[1]) END AS alone, decision[0] AS overridePlace,
  CASE WHEN decision[3] = true THEN decision[1] ELSE null END AS override
WITH n, n.id AS id, place, alone, overridePlace, override, coalesce(override, alone) AS score
WITH n, id, place, alone, overridePlace, override, toInteger(CASE WHEN score > 900000000000000.0 THEN 900000000000000.0
  WHEN score < -900000000000000.0 THEN -900000000000000.0 ELSE score END * 10000.0) AS parts
FOREACH (actor IN CASE WHEN place IS NULL THEN [] ELSE [n] END |
  SET actor.riskScoreKey = place, actor.riskScoreAlone = alone, actor.riskOverrideKey = overridePlace, actor.riskOverrideScore = override,
    actor.riskScoreParts = parts, actor.riskScoreOrder = parts)
RETURN max(id) AS last;
// What actors are in the order of, besides their ids: those have it whose record has come. Who has no domicile or no score comes behind all that have one.
MATCH (n:Actor)
WHERE n.id > $after
WITH n ORDER BY n.id LIMIT 10000
WITH n, n.id AS id, n.record IS NOT NULL AND n.nameOrder IS NULL AS lacks, substring(toLower(n.name), 0, 200) AS name, coalesce(n.domicile, '~') AS domicile,
  coalesce(n.riskScoreParts, -9100000000000000000) AS risk
FOREACH (actor IN CASE WHEN lacks THEN [n] ELSE [] END | SET actor.nameOrder = name, actor.domicileOrder = domicile, actor.riskScoreOrder = risk)
RETURN max(id) AS last;
CREATE INDEX actor_name_order IF NOT EXISTS FOR (n:Actor) ON (n.nameOrder);
CREATE INDEX actor_domicile_order IF NOT EXISTS FOR (n:Actor) ON (n.domicileOrder);
CREATE INDEX actor_risk_score_order IF NOT EXISTS FOR (n:Actor) ON (n.riskScoreOrder);
CREATE INDEX actor_recorded_at IF NOT EXISTS FOR (n:Actor) ON (n.recordedAt);
// The exclusion that counts: the one that was stored last.
MATCH (n:Actor)
WHERE n.id > $after
WITH n ORDER BY n.id LIMIT 10000
WITH n, n.exclusionId AS known
CALL {
  WITH n, known
  WITH n, known
  WHERE known IS NULL
  MATCH (n)-[:HAS_EXCLUSION]->(x:ActorExclusion)
  WITH x.exclusionType AS kind, x.storedAt AS storedAt, coalesce(x.recordedAt, 0) AS recordedAt, x.id AS exclusion
  ORDER BY storedAt DESC, recordedAt DESC, exclusion DESC
  RETURN collect([kind, storedAt, recordedAt, exclusion]) AS exclusions
}
WITH n, n.id AS id, exclusions[0] AS latest
FOREACH (actor IN CASE WHEN latest IS NULL THEN [] ELSE [n] END |
  SET actor.exclusionType = latest[0], actor.exclusionStoredAt = latest[1], actor.exclusionRecordedAt = latest[2], actor.exclusionId = latest[3])
RETURN max(id) AS last;
