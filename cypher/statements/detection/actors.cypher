// What decides whether actors are monitored, and as whom. Exclusions (the latest counts), snoozes and memberships are those that were known at a moment; what
// records say is as of now.
// $ids; $knownUpTo: epoch milliseconds
// returns: id, recorded (false for a placeholder), type, status, customerSince, domicile, customData, exclusion (or null), groups: [name], snoozes: [[rule, until]]
UNWIND $ids AS id
MATCH (a:Actor {id: id})
CALL {
  WITH a
  MATCH (a)-[:HAS_EXCLUSION]->(x:ActorExclusion)
  WHERE x.recordedAt <= $knownUpTo
  WITH x ORDER BY x.storedAt DESC, x.recordedAt DESC, x.id DESC
  RETURN collect(x.exclusionType) AS exclusions
}
CALL {
  WITH a
  MATCH (a)-[m:MEMBER_OF|WAS_MEMBER_OF]->(g:SegmentationGroup)
  WITH g, m.since AS since, m.until AS until
  WHERE since <= $knownUpTo AND (until IS NULL OR until > $knownUpTo)
  WITH DISTINCT g.id AS id, g.name AS name ORDER BY id
  RETURN collect(name) AS groups
}
CALL {
  WITH a
  MATCH (a)<-[:SNOOZED_FOR]-(z:Snooze)
  WHERE z.snoozedAt <= $knownUpTo AND (z.endedAt IS NULL OR z.endedAt > $knownUpTo)
  WITH z ORDER BY z.id
  RETURN collect([z.ruleId, z.until]) AS snoozes
}
RETURN a.id AS id, a.record IS NOT NULL AS recorded, CASE WHEN a:Placeholder THEN null ELSE a.type END AS type, a.status AS status, a.customerSince AS customerSince, a.domicile AS domicile,
  a.customData AS customData, exclusions[0] AS exclusion, groups, snoozes
