// Deliveries of a webhook by time, for how it does; tags and users by name.
CREATE INDEX delivery_webhook_created_at IF NOT EXISTS FOR (n:Delivery) ON (n.webhookId, n.createdAt);
CREATE INDEX tag_name IF NOT EXISTS FOR (n:Tag) ON (n.name);
CREATE INDEX user_name IF NOT EXISTS FOR (n:User) ON (n.name);
