// Migrations that were applied.
// allows: 10 because migrations are few
// returns: id
MATCH (m:Migration)
RETURN m.id AS id
ORDER BY id
