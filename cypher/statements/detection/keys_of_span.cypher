// Ids of completed payments of a span of time behind one of them, in order.
// $begin (included), $behind (not included): epoch milliseconds; $after: an id, or '' for the first ones
// returns: id
MATCH (t:Transaction)
WHERE t.createdAt >= $begin AND t.createdAt < $behind
WITH t.id AS id, t.status AS status
WHERE id > $after AND status = 'COMPLETED'
RETURN id
ORDER BY id LIMIT 10000
