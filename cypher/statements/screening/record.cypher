// Keeps what providers have said of payments. The same screening again is the same node: a result takes the place of one that says less, and of two that
// say the same the first stays. The first SET locks: so what is read behind it is so until the transaction ends.
// $rows: [{id, transaction, replaces: [response] (those that say less), props: {…}, observations: [id]}]
// returns: id, response (as it is kept)
UNWIND $rows AS row
MATCH (t:Transaction {id: row.transaction})
MERGE (s:Screening {id: row.id})
ON CREATE SET s += row.props
SET s.writeId = row.id
WITH t, s, row, s.response AS kept
FOREACH (_ IN CASE WHEN kept IN row.replaces THEN [1] ELSE [] END | SET s += row.props)
MERGE (t)-[:HAS_SCREENING]->(s)
FOREACH (o IN row.observations | MERGE (x:Observation {id: o}) ON CREATE SET x:Placeholder, x.name = o MERGE (s)-[:FOUND]->(x))
RETURN s.id AS id, CASE WHEN kept IN row.replaces THEN row.props.response ELSE kept END AS response
