// Risk rules that people have added, and how risk rules were tuned.
CREATE CONSTRAINT risk_rule_version_id IF NOT EXISTS FOR (n:RiskRuleVersion) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT risk_rule_tuning_id IF NOT EXISTS FOR (n:RiskRuleTuning) REQUIRE n.id IS UNIQUE;
