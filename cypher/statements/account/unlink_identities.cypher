// Takes the references away that an account had by its former record; the new record brings its own. Its numbers are settled apart (identifier/…).
// $rows: [{id}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:Account {id: row.id})-[old:HAS_REFERENCE]->(reference)
DELETE old
