// Processes that may write and tell others what they have written, and their notes of it.
CREATE CONSTRAINT cache_writer_id IF NOT EXISTS FOR (n:CacheWriter) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT cache_note_id IF NOT EXISTS FOR (n:CacheNote) REQUIRE n.id IS UNIQUE;
