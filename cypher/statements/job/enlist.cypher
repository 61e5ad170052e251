// Makes sure that jobs have their nodes. One that is there stays as it is.
// $rows: [{id, props: {name, createdAt, dueAt, restUntil, leaseUntil, runs, failures}}]
// returns: nothing
UNWIND $rows AS row
MERGE (j:Job {id: row.id})
ON CREATE SET j += row.props
