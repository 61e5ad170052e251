// How risk rules were tuned.
CREATE CONSTRAINT risk_rule_tuning_id IF NOT EXISTS FOR (n:RiskRuleTuning) REQUIRE n.id IS UNIQUE;
