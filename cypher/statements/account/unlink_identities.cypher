// Takes the numbers and references away that an account had by its former record; the new record brings its own.
// $rows: [{id}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:Account {id: row.id})-[old:IDENTIFIED_BY|HAS_REFERENCE]->(identity)
DELETE old
