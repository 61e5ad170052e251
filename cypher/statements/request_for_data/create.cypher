// Asks for data on cases, which go to the step where they wait for it unless they are there.
// $rows: [{id, props: {…} (of the case), request, fields: {…}, steps: [its node]: one, or none}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c += row.props
CREATE (q:RequestForData {id: row.request})
SET q += row.fields
CREATE (q)-[:ABOUT]->(c)
