// Whether writes are in the store, by the ids of their audit entries.
// $ids
// returns: id
UNWIND $ids AS id
MATCH (a:AuditEntry {id: id})
RETURN a.id AS id
