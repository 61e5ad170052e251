// Migrations that were applied.
// returns: id
MATCH (m:Migration)
RETURN m.id AS id
ORDER BY id
