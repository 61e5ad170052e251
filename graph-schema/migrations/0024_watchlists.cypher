// Lists of names to screen against. Entries by their key, whichever version they are of, and by the versions with which they came and went.
CREATE CONSTRAINT watchlist_id IF NOT EXISTS FOR (n:Watchlist) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT watchlist_version_id IF NOT EXISTS FOR (n:WatchlistVersion) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT watchlist_entry_id IF NOT EXISTS FOR (n:WatchlistEntry) REQUIRE n.id IS UNIQUE;
CREATE INDEX watchlist_entry_key IF NOT EXISTS FOR (n:WatchlistEntry) ON (n.key);
CREATE INDEX watchlist_entry_added_in IF NOT EXISTS FOR (n:WatchlistEntry) ON (n.addedIn);
CREATE INDEX watchlist_entry_ended_in IF NOT EXISTS FOR (n:WatchlistEntry) ON (n.endedIn);
CREATE CONSTRAINT watchlist_upload_id IF NOT EXISTS FOR (n:WatchlistUpload) REQUIRE n.id IS UNIQUE;
