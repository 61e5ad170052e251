// What actors are in the order of, besides their ids: those have it whose record has come. Who has no domicile or no score comes behind all that have one.
MATCH (n:Actor)
WHERE n.record IS NOT NULL AND n.nameOrder IS NULL
SET n.nameOrder = substring(toLower(n.name), 0, 200), n.domicileOrder = coalesce(n.domicile, '~'),
  n.riskOrder = coalesce(n.riskScoreParts, -9100000000000000000);
CREATE INDEX actor_name_order IF NOT EXISTS FOR (n:Actor) ON (n.nameOrder);
CREATE INDEX actor_domicile_order IF NOT EXISTS FOR (n:Actor) ON (n.domicileOrder);
CREATE INDEX actor_risk_order IF NOT EXISTS FOR (n:Actor) ON (n.riskOrder);
CREATE INDEX actor_recorded_at IF NOT EXISTS FOR (n:Actor) ON (n.recordedAt);
// The exclusion that counts: the one that was stored last.
MATCH (n:Actor)-[:HAS_EXCLUSION]->(x:ActorExclusion)
WHERE n.exclusionId IS NULL
WITH n, x.exclusionType AS kind, x.storedAt AS storedAt, coalesce(x.recordedAt, 0) AS recordedAt, x.id AS exclusion
ORDER BY storedAt DESC, recordedAt DESC, exclusion DESC
WITH n, collect([kind, storedAt, recordedAt, exclusion]) AS exclusions
WITH n, exclusions[0] AS last
SET n.exclusionType = last[0], n.exclusionStoredAt = last[1], n.exclusionRecordedAt = last[2], n.exclusionId = last[3];
