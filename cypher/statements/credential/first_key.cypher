// Stores the first key of an empty store. Its id is the same for everyone who tries, so that of two instances that start together one wins.
// $rows: [{id, props}]
// returns: key (the id): only where this call made it
UNWIND $rows AS row
MERGE (k:ApiKey {id: row.id})
ON CREATE SET k += row.props
WITH k, row WHERE k.hash = row.props.hash
RETURN k.id AS key
