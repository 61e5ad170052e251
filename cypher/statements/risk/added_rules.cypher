// Versions of risk rules that people have added, as they were known at a moment; without their tests.
// $knownUpTo: epoch milliseconds
// returns: id, ruleId, rule (the text of rule.toml), addedAt (epoch milliseconds), addedBy, addedByName
MATCH (r:RiskRuleVersion)
WHERE r.addedAt <= $knownUpTo
RETURN r.id AS id, r.ruleId AS ruleId, r.rule AS rule, r.addedAt AS addedAt, r.addedBy AS addedBy, r.addedByName AS addedByName
