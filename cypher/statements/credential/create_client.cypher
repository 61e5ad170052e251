// Stores one of the token clients; of the secret only its hash.
// $rows: [{id, props: {name, role, hash, createdAt}}]
// returns: nothing
UNWIND $rows AS row
CREATE (n:Client {id: row.id})
SET n += row.props
