// Lets payments wait to be screened, some together. The same again is the same node, and what waits stays as it is.
// $rows: [{id, props: {name, payments, operations, tries, dueAt, bulkDueAt}}]
// returns: nothing
UNWIND $rows AS row
MERGE (p:PendingPaymentScreening {id: row.id})
ON CREATE SET p += row.props
