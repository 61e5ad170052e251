// Completes requests for data by something that their cases have already.
// $rows: [{id, props: {…} (of the case), request, fields: {…}, actors: [id], communications: [id], files: [id]: of one of the three one, of the others none}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
MATCH (q:RequestForData {id: row.request})
SET c += row.props, q += row.fields
FOREACH (a IN row.actors | MERGE (x:Actor {id: a}) MERGE (q)-[:ANSWERED_BY]->(x))
FOREACH (m IN row.communications | MERGE (y:Communication {id: m}) MERGE (q)-[:ANSWERED_BY]->(y))
FOREACH (f IN row.files | MERGE (z:File {id: f}) MERGE (q)-[:ANSWERED_BY]->(z))
