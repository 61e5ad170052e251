// Risk scores, newest first. Every filter is optional.
// $actorIds: list or null, $dataSource, $riskRuleId: text or null, $from, $to: epoch milliseconds (received later and earlier than),
// $newest: 1 = the newest entry of each actor alone, else 0, $offset, $limit
// returns: item (a map)
MATCH (n:Actor)-[:HAS_RISK_SCORE]->(x:RiskScore)
WHERE x.ingestedAt > $from AND x.ingestedAt < $to
  AND ($actorIds IS NULL OR n.id IN $actorIds)
  AND ($dataSource IS NULL OR x.dataSource = $dataSource)
  AND ($riskRuleId IS NULL OR x.riskRuleId = $riskRuleId)
WITH n.id AS actorId, x.ingestedAt AS at, x.id AS id, {actorId: n.id, id: x.id, ingestedAt: x.ingestedAt, ingestedBy: x.ingestedBy, riskBand: x.riskBand, record: x.record} AS item
ORDER BY at DESC, id DESC
WITH actorId, collect(item) AS items
UNWIND CASE WHEN $newest = 1 THEN items[0..1] ELSE items END AS item
WITH item, item.ingestedAt AS at, item.id AS id
ORDER BY at DESC, id DESC
SKIP $offset LIMIT $limit
RETURN item
