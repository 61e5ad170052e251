// Rejects requests for data; their cases go back to the step they were on before, where nothing else is waited for.
// $rows: [{id, props: {…} (of the case), request, fields: {…}, steps: [its node]: one, or none, at: epoch milliseconds}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
MATCH (q:RequestForData {id: row.request})
SET c += row.props, q += row.fields
