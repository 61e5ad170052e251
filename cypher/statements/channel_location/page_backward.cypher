// A page of all, by id, backwards.
// $before: an id, or null for the last page; $limit
// returns: id, name
MATCH (n:ChannelLocation)
WHERE ($before IS NULL OR n.id < $before)
RETURN n.id AS id, n.name AS name
ORDER BY id DESC
LIMIT $limit
