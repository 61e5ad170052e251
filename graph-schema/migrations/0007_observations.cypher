// Observations by when they were made, the rules they name, what was said of them, and the signals that were kept from becoming some.
CREATE INDEX observation_observed_at IF NOT EXISTS FOR (n:Observation) ON (n.observedAt);
CREATE CONSTRAINT observation_rule_id IF NOT EXISTS FOR (n:ObservationRule) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT observation_feedback_id IF NOT EXISTS FOR (n:ObservationFeedback) REQUIRE n.id IS UNIQUE;
CREATE INDEX observation_feedback_created_at IF NOT EXISTS FOR (n:ObservationFeedback) ON (n.createdAt);
CREATE CONSTRAINT suppressed_signal_id IF NOT EXISTS FOR (n:SuppressedSignal) REQUIRE n.id IS UNIQUE;
CREATE INDEX suppressed_signal_review_date IF NOT EXISTS FOR (n:SuppressedSignal) ON (n.reviewDate);
