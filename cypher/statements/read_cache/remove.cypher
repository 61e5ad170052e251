// Takes the node from a process that is gone, unless it has said meanwhile that it is there. The first SET locks the node.
// $id, $last: the number of its last renewal
// returns: forgotten
MATCH (w:CacheWriter {id: $id})
SET w.asked = $last
WITH w
WHERE w.renewal = $last
DETACH DELETE w
RETURN count(*) AS forgotten
