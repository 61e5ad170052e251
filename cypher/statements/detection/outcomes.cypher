// Findings of business days, counted by what the feedback says that was given on each last, in whichever case or when it was dismissed. Findings below the line are left out. More than
// 100,000 rows say that not all were answered with.
// $days: [YYYY-MM-DD]; $ruleId, $line: of this rule, of this line of business alone, or null; $truePositive, $falsePositive: feedback that says so
// returns: day, rule, version, line (both '' where findings do not say it), outcome (TRUE_POSITIVE, FALSE_POSITIVE, OTHER, WITHOUT), total
UNWIND $days AS day
MATCH (o:Observation)
WHERE o.businessDate = day
WITH o, day, o.dataSource AS source, coalesce(o.btlFlag, false) AS belowTheLine, o.rule AS rules, o.behaviorId AS behavior,
  coalesce(o.version, '') AS version, coalesce(o.lineOfBusiness, '') AS line
WHERE source = 'Service - Detection' AND belowTheLine = false
WITH o, day, version, line, CASE WHEN rules IS NULL THEN behavior ELSE rules[0] END AS rule
WHERE ($ruleId IS NULL OR rule = $ruleId) AND ($line IS NULL OR line = $line)
CALL {
  WITH o
  MATCH (o)<-[:GIVEN_ON|DISMISSES]-(f)
  WHERE f.feedback IS NOT NULL AND NOT f:FormerObservationFeedback
  WITH f ORDER BY f.createdAt DESC, f.id
  RETURN collect(f.feedback) AS given
}
WITH day, rule, version, line, CASE WHEN size(given) = 0 THEN 'WITHOUT' WHEN given[0] IN $truePositive THEN 'TRUE_POSITIVE'
  WHEN given[0] IN $falsePositive THEN 'FALSE_POSITIVE' ELSE 'OTHER' END AS outcome
RETURN day, rule, version, line, outcome, count(*) AS total
LIMIT 100001
