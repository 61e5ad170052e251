// Leaves payments for later of which a provider has said nothing; those that wait with them and are done wait no more.
// $rows: [{id, props: {payments, tries, dueAt or bulkDueAt (epoch milliseconds)}}]
// returns: nothing
UNWIND $rows AS row
MATCH (p:PendingPaymentScreening {id: row.id})
SET p += row.props
