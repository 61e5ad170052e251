// Observations by their business day: reports of what feedback says of rules read a day after another.
CREATE INDEX observation_business_date IF NOT EXISTS FOR (n:Observation) ON (n.businessDate);
