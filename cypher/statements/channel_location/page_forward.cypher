// A page of all, by id.
// $after: an id, empty for the first page; $limit
// returns: id, name
MATCH (n:ChannelLocation)
WHERE n.id > $after
RETURN n.id AS id, n.name AS name
ORDER BY id
LIMIT $limit
