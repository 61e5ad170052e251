// Pairs of a party and a list's entry that somebody has cleared: by the pair, and by when it was cleared.
CREATE CONSTRAINT cleared_match_id IF NOT EXISTS FOR (n:ClearedMatch) REQUIRE n.id IS UNIQUE;
CREATE INDEX cleared_match_pair IF NOT EXISTS FOR (n:ClearedMatch) ON (n.pair);
CREATE INDEX cleared_match_cleared_at IF NOT EXISTS FOR (n:ClearedMatch) ON (n.clearedAt);
