// A page of all, by id, backwards.
// $before: an id, or one behind all ids for the last page; $limit, $known: boolean or null
// returns: id, name
MATCH (n:Actor)
WHERE n.id < $before AND ($known IS NULL OR (NOT n:Placeholder) = $known)
RETURN n.id AS id, n.name AS name
ORDER BY id DESC
LIMIT $limit
