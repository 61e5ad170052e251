// Keeps a rule from alerting about an actor up to a moment. A snooze of the same that still counts ends with it; it is kept.
// $rows: [{id, actor, rule, props: {…}, ending: {…} (of snoozes that still count)}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.actor})
OPTIONAL MATCH (a)<-[:SNOOZED_FOR]-(f:Snooze)
WITH a, row, collect(CASE WHEN f.ruleId = row.rule AND f.endedAt IS NULL AND f.until > row.props.snoozedAt THEN f ELSE null END) AS former
FOREACH (ended IN former | SET ended += row.ending)
CREATE (z:Snooze {id: row.id})
SET z += row.props
CREATE (z)-[:SNOOZED_FOR]->(a)
