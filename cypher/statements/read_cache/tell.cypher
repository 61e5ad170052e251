// The same, with what the process has written.
// $id, $renewal: its number, $standing: what others go by, $note: the id of the note, $content: its text
// returns: id (only where the process still has its node, and this is the last renewal)
MATCH (w:CacheWriter {id: $id})
SET w.asked = $renewal
WITH w
WHERE w.renewal < $renewal
SET w.renewal = $renewal, w.standing = $standing
MERGE (n:CacheNote {id: $note})
SET n.name = $note, n.content = $content
RETURN w.id AS id
