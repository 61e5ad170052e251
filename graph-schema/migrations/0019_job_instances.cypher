// Jobs of which there may be any number: each has what it is about, how far it is, and how it ended.
CREATE CONSTRAINT job_instance_id IF NOT EXISTS FOR (n:JobInstance) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT job_kind_id IF NOT EXISTS FOR (n:JobKind) REQUIRE n.id IS UNIQUE;
CREATE INDEX job_instance_created_at IF NOT EXISTS FOR (n:JobInstance) ON (n.createdAt);
CREATE INDEX job_instance_ended_at IF NOT EXISTS FOR (n:JobInstance) ON (n.endedAt);
