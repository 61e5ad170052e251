// The change feed: each transaction that changes something leaves a set of its changes, which gets its position after the commit. What was changed
// before has none.
CREATE CONSTRAINT change_set_id IF NOT EXISTS FOR (n:ChangeSet) REQUIRE n.id IS UNIQUE;
CREATE INDEX change_set_position IF NOT EXISTS FOR (n:ChangeSet) ON (n.position);
CREATE CONSTRAINT change_feed_id IF NOT EXISTS FOR (n:ChangeFeed) REQUIRE n.id IS UNIQUE;
MERGE (feed:ChangeFeed {id: 'changes'})
ON CREATE SET feed.name = 'Change feed', feed.position = 0, feed.forgotten = 0;
