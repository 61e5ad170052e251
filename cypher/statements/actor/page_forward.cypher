// A page of all, by id.
// $after: an id, empty for the first page; $limit, $known: boolean or null
// returns: id, name
MATCH (n:Actor)
WHERE n.id > $after AND ($known IS NULL OR (NOT n:Placeholder) = $known)
RETURN n.id AS id, n.name AS name
ORDER BY id
LIMIT $limit
