// Risk scores of all actors, newest first. Every filter is optional.
// $dataSource, $riskRuleId: text or null, $from, $to: epoch milliseconds (received later and earlier than),
// $newest: 1 = of each actor the newest alone of those that pass the filters, else 0, $offset, $limit
// returns: item (a map)
MATCH (x:RiskScore)
WHERE x.ingestedAt > $from AND x.ingestedAt < $to
  AND ($dataSource IS NULL OR x.dataSource = $dataSource) AND ($riskRuleId IS NULL OR x.riskRuleId = $riskRuleId)
MATCH (n:Actor)-[:HAS_RISK_SCORE]->(x)
WHERE $newest = 0 OR NOT EXISTS {
  MATCH (n)-[:HAS_RISK_SCORE]->(y:RiskScore)
  WHERE y.ingestedAt < $to AND (y.ingestedAt > x.ingestedAt OR (y.ingestedAt = x.ingestedAt AND y.id > x.id))
    AND ($dataSource IS NULL OR y.dataSource = $dataSource) AND ($riskRuleId IS NULL OR y.riskRuleId = $riskRuleId)
}
WITH n, x
ORDER BY x.ingestedAt DESC, x.id DESC
SKIP $offset LIMIT $limit
RETURN {actorId: n.id, ingestedAt: x.ingestedAt, ingestedBy: x.ingestedBy, riskBand: x.riskBand, record: x.record} AS item
