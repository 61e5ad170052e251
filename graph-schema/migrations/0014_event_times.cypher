// Events are forgotten by their time.
CREATE INDEX event_created_at IF NOT EXISTS FOR (n:Event) ON (n.createdAt);
