// Makes the record the present of its actor: fields, labels and identities; and keeps it as said of its date. Fields that the record does not have
// come as null and are removed.
// $rows: [{id, kind, props: {…}, phones, emails, addresses, governmentIds, references: [{id, name}],
//   versionId, version: {as in keep_version}, logicalTime,
//   screenings: [{name, facts, submission, dueAt}] (what the actor is screened by; none where actors are not screened)}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:Actor {id: row.id})
WITH n, row, row.logicalTime AS time
