// Keeps what providers have said of payments. The same screening again is the same node, and what was kept of it first stays.
// $rows: [{id, transaction, props: {…}, observations: [id]}]
// returns: id, response (as it is kept)
UNWIND $rows AS row
MATCH (t:Transaction {id: row.transaction})
MERGE (s:Screening {id: row.id})
ON CREATE SET s += row.props
MERGE (t)-[:HAS_SCREENING]->(s)
FOREACH (o IN row.observations | MERGE (x:Observation {id: o}) ON CREATE SET x:Placeholder, x.name = o MERGE (s)-[:FOUND]->(x))
RETURN s.id AS id, s.response AS response
