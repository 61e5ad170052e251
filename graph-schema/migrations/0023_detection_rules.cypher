// Rules that people have added, how rules were tuned, and snoozes by when they were made.
CREATE CONSTRAINT detection_rule_version_id IF NOT EXISTS FOR (n:DetectionRuleVersion) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT detection_rule_tuning_id IF NOT EXISTS FOR (n:DetectionRuleTuning) REQUIRE n.id IS UNIQUE;
CREATE INDEX snooze_snoozed_at IF NOT EXISTS FOR (n:Snooze) ON (n.snoozedAt);
