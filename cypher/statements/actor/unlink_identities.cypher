// Takes the identities away that an actor had by its former record; the new record brings its own.
// $rows: [{id}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:Actor {id: row.id})-[old:HAS_PHONE|HAS_EMAIL|HAS_ADDRESS|HAS_GOVERNMENT_ID|HAS_REFERENCE]->(identity)
DELETE old
