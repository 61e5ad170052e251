// What is due is looked for by its time, lanes of a webhook by the range of their ids. On the embedded engine only an index that says RANGE is ordered; on
// Neo4j those that are there are.
CREATE RANGE INDEX delivery_lane_due_order IF NOT EXISTS FOR (n:DeliveryLane) ON (n.dueAt);
CREATE RANGE INDEX delivery_lane_id_order IF NOT EXISTS FOR (n:DeliveryLane) ON (n.id);
DROP INDEX delivery_lane_webhook IF EXISTS;
// Deliveries that failed are found by the webhook, without going through all that it was told.
CREATE INDEX delivery_webhook_state IF NOT EXISTS FOR (n:Delivery) ON (n.webhookId, n.state);
