// A change that is to be undone: behind a change of its own transaction Neo4j makes another plan of a statement, so that this stands before what is
// planned ahead.
// $rows: one for each node
// returns: nothing
UNWIND $rows AS row
CREATE (:AuditEntry)
