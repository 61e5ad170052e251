// Payments that are being moved to whom has their numbers now: one note for each account they are moved from.
CREATE CONSTRAINT payment_move_id IF NOT EXISTS FOR (n:PaymentMove) REQUIRE n.id IS UNIQUE;
