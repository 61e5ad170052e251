// Detection runs by when they were asked for, and rules that are not to alert about somebody for a while.
CREATE CONSTRAINT detection_run_id IF NOT EXISTS FOR (n:DetectionRun) REQUIRE n.id IS UNIQUE;
CREATE INDEX detection_run_requested_at IF NOT EXISTS FOR (n:DetectionRun) ON (n.requestedAt);
CREATE CONSTRAINT snooze_id IF NOT EXISTS FOR (n:Snooze) REQUIRE n.id IS UNIQUE;
