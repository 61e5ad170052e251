// Takes the node from a process that is gone, unless it has said meanwhile that it is there. The first SET locks the node.
// $id, $renewal: the number of its last renewal
// returns: forgotten
MATCH (w:CacheWriter {id: $id})
SET w.asked = $renewal
WITH w
WHERE w.renewal = $renewal
DETACH DELETE w
RETURN count(*) AS forgotten
