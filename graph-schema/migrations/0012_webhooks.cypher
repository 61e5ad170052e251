// Webhooks, what they are to be told, and the order in which they are told of each case.
CREATE CONSTRAINT webhook_id IF NOT EXISTS FOR (n:Webhook) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT delivery_id IF NOT EXISTS FOR (n:Delivery) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT delivery_lane_id IF NOT EXISTS FOR (n:DeliveryLane) REQUIRE n.id IS UNIQUE;
CREATE INDEX delivery_lane_due_at IF NOT EXISTS FOR (n:DeliveryLane) ON (n.dueAt);
CREATE INDEX delivery_lane_webhook IF NOT EXISTS FOR (n:DeliveryLane) ON (n.webhookId);
CREATE INDEX delivery_webhook IF NOT EXISTS FOR (n:Delivery) ON (n.webhookId);
CREATE INDEX delivery_case IF NOT EXISTS FOR (n:Delivery) ON (n.caseId);
CREATE INDEX delivery_created_at IF NOT EXISTS FOR (n:Delivery) ON (n.createdAt);
CREATE INDEX event_case IF NOT EXISTS FOR (n:Event) ON (n.caseId);
