// Bulk requests: what was taken and waits to be processed, what waits for something that it names, what has failed.
// Indexes are of main labels: the embedded engine does not open a store with one of a label that its nodes have besides.
CREATE CONSTRAINT bulk_request_id IF NOT EXISTS FOR (n:BulkRequest) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT bulk_part_id IF NOT EXISTS FOR (n:BulkPart) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT bulk_item_id IF NOT EXISTS FOR (n:BulkItem) REQUIRE n.id IS UNIQUE;
CREATE INDEX bulk_request_received_at IF NOT EXISTS FOR (n:BulkRequest) ON (n.receivedAt);
CREATE INDEX bulk_item_subject IF NOT EXISTS FOR (n:BulkItem) ON (n.subject);
CREATE INDEX bulk_item_created_at IF NOT EXISTS FOR (n:BulkItem) ON (n.createdAt);
CREATE INDEX bulk_item_processed_at IF NOT EXISTS FOR (n:BulkItem) ON (n.processedAt);
CREATE INDEX bulk_item_due_at IF NOT EXISTS FOR (n:BulkItem) ON (n.dueAt);
