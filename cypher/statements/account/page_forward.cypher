// A page of all, by id.
// $after: an id, empty for the first page; $limit, $known: boolean or null
// returns: id, name
MATCH (n:Account)
WHERE n.id > $after AND ($known IS NULL OR (n.record IS NOT NULL) = $known)
RETURN n.id AS id, n.name AS name
ORDER BY id
LIMIT $limit
