// Asks for data on cases, which go to the step where they wait for it unless they are there.
// $rows: [{id, props: {…} (of the case), request, fields: {…}, steps: [its node]: one, or none, at: epoch milliseconds,
//   others: [{id, props: {stepBefore}}] (requests that are waited for again)}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c += row.props
CREATE (q:RequestForData {id: row.request})
SET q += row.fields
CREATE (q)-[:ABOUT]->(c)
FOREACH (o IN row.others | MERGE (x:RequestForData {id: o.id}) SET x += o.props)
