// Keeps what providers have said of actors. The same screening again is the same node: a result takes the place of one that says less, and of two that
// say the same the first stays. The first SET of a screening locks it: so what is read behind it is so until the transaction ends.
// $rows: [{id, actor, replaces: [response] (those that say less), props: {…}, observations: [id]}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.actor})
MERGE (s:Screening {id: row.id})
ON CREATE SET s += row.props
SET s.writeId = row.id
WITH a, s, row, s.response AS kept
FOREACH (_ IN CASE WHEN kept IN row.replaces THEN [1] ELSE [] END | SET s += row.props)
MERGE (s)<-[:HAS_SCREENING]-(a)
FOREACH (o IN row.observations | MERGE (x:Observation {id: o}) ON CREATE SET x:Placeholder, x.name = o MERGE (s)-[:FOUND]->(x))
