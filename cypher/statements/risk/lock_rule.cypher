// Makes sure that versions of risk rules are there and locks them, so that of two who add the same one comes second.
// $rows: [{id, writeId}]
// returns: id, rule (the text of rule.toml; null for one that is new), tests (JSON text; null for one that is new)
UNWIND $rows AS row
MERGE (r:RiskRuleVersion {id: row.id})
SET r.writeId = row.writeId
RETURN r.id AS id, r.rule AS rule, r.tests AS tests
