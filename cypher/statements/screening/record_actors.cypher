// Keeps what providers have said of actors. The same screening again is the same node, and what was kept of it first stays.
// $rows: [{id, actor, props: {…}, observations: [id]}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.actor})
MERGE (s:Screening {id: row.id})
ON CREATE SET s += row.props
MERGE (s)<-[:HAS_SCREENING]-(a)
FOREACH (o IN row.observations | MERGE (x:Observation {id: o}) ON CREATE SET x:Placeholder, x.name = o MERGE (s)-[:FOUND]->(x))
