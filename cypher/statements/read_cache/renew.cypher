// Says that a process that may write is there, unless it has said something later. The first SET locks the node until the transaction ends, so that what
// is read then stays true.
// $id, $renewal: its number, $standing: what others go by
// returns: id (only where the process still has its node, and this is the last renewal)
MATCH (w:CacheWriter {id: $id})
SET w.asked = $renewal
WITH w
WHERE w.renewal < $renewal
SET w.renewal = $renewal, w.standing = $standing
RETURN w.id AS id
