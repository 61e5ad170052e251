// Part of observation/record and observation/add_up: what the payments of each observation add up to. Then the links to its rules repeat what lists are ordered
// by, as they are at the end: on Neo4j lists of a rule are read along indexes of these links.
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
SET o.standardUnits = CASE WHEN size(totals) = 0 THEN 0 ELSE totals[0][0] END, o.standardNanos = CASE WHEN size(totals) = 0 THEN 0 ELSE totals[0][1] END
WITH o
MATCH (o)-[link:MATCHED]->(named:ObservationRule)
SET link.ruleId = named.id, link.observedAt = o.observedAt, link.scoreBillionths = o.scoreBillionths, link.standardUnits = o.standardUnits,
  link.standardNanos = o.standardNanos
