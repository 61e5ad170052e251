// What of the store of files is this graph's own: one node, which is made when it is needed first, and by one process only.
CREATE CONSTRAINT file_store_id IF NOT EXISTS FOR (n:FileStore) REQUIRE n.id IS UNIQUE;
