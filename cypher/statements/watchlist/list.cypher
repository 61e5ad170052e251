// All watchlists, in no order. Version 0 is one that no import has brought yet.
// returns: id, name, version, format (null of version 0, and so are the next two), entries, importedAt, createdAt (both epoch milliseconds)
MATCH (l:Watchlist)
RETURN l.id AS id, l.name AS name, l.version AS version, l.format AS format, l.entries AS entries, l.importedAt AS importedAt, l.createdAt AS createdAt
