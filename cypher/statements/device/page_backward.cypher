// A page of all, by id, backwards.
// $before: an id, or one behind all ids for the last page; $limit
// returns: id, name
MATCH (n:Device)
WHERE n.id < $before
RETURN n.id AS id, n.name AS name
ORDER BY id DESC
LIMIT $limit
