// All channel locations of a type, or of any. They are few; the caller sorts and pages.
// $type: ATM, BRANCH, OTHER or null
// returns: id, type, record, recordedAt
MATCH (n:ChannelLocation)
WHERE $type IS NULL OR n.type = $type
RETURN n.id AS id, n.type AS type, n.record AS record, n.recordedAt AS recordedAt
