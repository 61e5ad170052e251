// Feedback as it was before other was given in its place, by when it was given.
CREATE CONSTRAINT former_observation_feedback_id IF NOT EXISTS FOR (n:FormerObservationFeedback) REQUIRE n.id IS UNIQUE;
CREATE INDEX former_observation_feedback_created_at IF NOT EXISTS FOR (n:FormerObservationFeedback) ON (n.createdAt);
