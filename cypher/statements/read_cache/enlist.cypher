// Gives a process that may write its node, by which others follow it. One that is there stays as it is.
// $id, $standing: of one that has written nothing
// returns: nothing
MERGE (w:CacheWriter {id: $id})
ON CREATE SET w.name = $id, w.renewal = 0, w.standing = $standing
