// What is asked for by something else than its id: pages in time order, and time ranges.
CREATE INDEX transaction_created_at IF NOT EXISTS FOR (n:Transaction) ON (n.createdAt);
CREATE INDEX audit_entry_timestamp IF NOT EXISTS FOR (n:AuditEntry) ON (n.timestamp);
CREATE INDEX event_created_at IF NOT EXISTS FOR (n:Event) ON (n.createdAt);
CREATE INDEX risk_score_ingested_at IF NOT EXISTS FOR (n:RiskScore) ON (n.ingestedAt);
CREATE INDEX api_key_hash IF NOT EXISTS FOR (n:ApiKey) ON (n.hash);
CREATE INDEX idempotency_key_created_at IF NOT EXISTS FOR (n:IdempotencyKey) ON (n.createdAt);
