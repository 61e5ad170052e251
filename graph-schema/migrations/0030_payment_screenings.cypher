// Payments that wait to be screened: by when those are due that were sent alone, and by when those that came together.
CREATE CONSTRAINT pending_payment_screening_id IF NOT EXISTS FOR (n:PendingPaymentScreening) REQUIRE n.id IS UNIQUE;
CREATE INDEX pending_payment_screening_due_at IF NOT EXISTS FOR (n:PendingPaymentScreening) ON (n.dueAt);
CREATE INDEX pending_payment_screening_bulk_due_at IF NOT EXISTS FOR (n:PendingPaymentScreening) ON (n.bulkDueAt);
