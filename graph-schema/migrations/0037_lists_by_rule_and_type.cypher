// Observations of a rule, in each order of their lists: links to rules repeat the keys, as observation/record and observation/add_up have it. What is there
// already is made equal, also where it was repeated and is out of date: whoever applies this once more mends what an older program has written beside a newer one.
// An observation is locked before it is looked at, as payments that it cites may come meanwhile.
MATCH (o:Observation)
WHERE o.id > $after
WITH o ORDER BY o.id LIMIT 10000
SET o.writeId = '0037_lists_by_rule_and_type'
WITH o
OPTIONAL MATCH (o)-[link:MATCHED]->(named:ObservationRule)
WITH o, link, named.id AS rule
FOREACH (known IN CASE WHEN link IS NULL THEN [] ELSE [link] END | SET known.ruleId = rule, known.observedAt = o.observedAt,
  known.scoreBillionths = o.scoreBillionths, known.standardUnits = o.standardUnits, known.standardNanos = o.standardNanos)
RETURN max(o.id) AS last;
CREATE INDEX matched_rule_observed_at IF NOT EXISTS FOR ()-[r:MATCHED]-() ON (r.ruleId, r.observedAt);
CREATE INDEX matched_rule_score IF NOT EXISTS FOR ()-[r:MATCHED]-() ON (r.ruleId, r.scoreBillionths, r.observedAt);
CREATE INDEX matched_rule_standard_total IF NOT EXISTS FOR ()-[r:MATCHED]-() ON (r.ruleId, r.standardUnits, r.standardNanos);
// Cases by their types, and those of one type in each order that has an index.
CREATE INDEX case_type_id IF NOT EXISTS FOR (n:`Case`) ON (n.type, n.id);
CREATE INDEX case_type_created_at IF NOT EXISTS FOR (n:`Case`) ON (n.type, n.createdAt);
CREATE INDEX case_type_updated_at IF NOT EXISTS FOR (n:`Case`) ON (n.type, n.updatedAt);
CREATE INDEX case_type_due_order IF NOT EXISTS FOR (n:`Case`) ON (n.type, n.dueOrder);
CREATE INDEX case_type_step_since IF NOT EXISTS FOR (n:`Case`) ON (n.type, n.stepSince);
CREATE INDEX case_type_closed_order IF NOT EXISTS FOR (n:`Case`) ON (n.type, n.closedOrder);
CREATE INDEX case_type_risk_order IF NOT EXISTS FOR (n:`Case`) ON (n.type, n.riskOrder);
