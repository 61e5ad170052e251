// Bulk requests: what was taken and waits to be processed, what waits for something that it names, what has failed.
CREATE CONSTRAINT bulk_request_id IF NOT EXISTS FOR (n:BulkRequest) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT bulk_part_id IF NOT EXISTS FOR (n:BulkPart) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT bulk_item_id IF NOT EXISTS FOR (n:BulkItem) REQUIRE n.id IS UNIQUE;
CREATE INDEX bulk_request_received_at IF NOT EXISTS FOR (n:BulkRequest) ON (n.receivedAt);
CREATE INDEX bulk_item_subject IF NOT EXISTS FOR (n:BulkItem) ON (n.subject);
CREATE INDEX bulk_item_created_at IF NOT EXISTS FOR (n:BulkItem) ON (n.createdAt);
CREATE INDEX bulk_item_processed_at IF NOT EXISTS FOR (n:BulkItem) ON (n.processedAt);
CREATE INDEX deferred_item_due_at IF NOT EXISTS FOR (n:DeferredItem) ON (n.dueAt);
CREATE INDEX dead_letter_created_at IF NOT EXISTS FOR (n:DeadLetter) ON (n.createdAt);
