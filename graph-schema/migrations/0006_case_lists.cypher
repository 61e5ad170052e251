// Lists of cases by when they were changed; that by when they were made has its index already.
CREATE INDEX case_updated_at IF NOT EXISTS FOR (n:`Case`) ON (n.updatedAt);
