// Clearances of pairs, whether they count or not.
// $ids: pairs
// returns: id, pair, facts (digest of who the party was), fingerprint (of what the entry said), until, clearedAt (epoch milliseconds), endedAt (or null)
UNWIND $ids AS wanted
MATCH (c:ClearedMatch)
WHERE c.pair = wanted
RETURN c.id AS id, c.pair AS pair, c.facts AS facts, c.fingerprint AS fingerprint, c.until AS until, c.clearedAt AS clearedAt, c.endedAt AS endedAt
