// Stores one of the API keys; of the secret only its hash.
// $rows: [{id, props: {name, role, hash, createdAt}}]
// returns: nothing
UNWIND $rows AS row
CREATE (n:ApiKey {id: row.id})
SET n += row.props
