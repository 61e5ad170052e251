// Actors that wait to be screened, by when they are due.
CREATE CONSTRAINT pending_screening_id IF NOT EXISTS FOR (n:PendingScreening) REQUIRE n.id IS UNIQUE;
CREATE INDEX pending_screening_due_at IF NOT EXISTS FOR (n:PendingScreening) ON (n.dueAt);
