// What providers have said of payments.
CREATE CONSTRAINT screening_id IF NOT EXISTS FOR (n:Screening) REQUIRE n.id IS UNIQUE;
