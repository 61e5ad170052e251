// Adds to cases what they have not: actors, observations, communications; and changes their fields. An actor whose part in a case is another now is
// linked anew. Actors in the focus are locked as by case/create. Of the fields only the time at which a case was made says by what it is counted: where
// that is another now, the case waits to be counted.
// $rows: [{id, props: {…}, relinked: [id (of an actor)], focal: [{id, props}], connected: [{id, props}], observations: [id], linkedAt: epoch
//   milliseconds, linkedBy (the write's id), by (whose write it is), named: [id (of a communication)], described: [{id (of a communication), logicalTime, props}]}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c += row.props
FOREACH (made IN CASE WHEN row.props.createdAt IS NULL THEN [] ELSE [true] END | SET c:UncountedCase)
WITH c, row
OPTIONAL MATCH (c)-[old:FOCUSES_ON|CONCERNS]->(a:Actor)
WHERE a.id IN row.relinked
DELETE old
WITH DISTINCT c, row
FOREACH (a IN row.focal | MERGE (x:Actor {id: a.id}) ON CREATE SET x:Placeholder, x.name = a.id SET x:Actor CREATE (c)-[r:FOCUSES_ON]->(x) SET r += a.props)
FOREACH (a IN row.connected | MERGE (x:Actor {id: a.id}) ON CREATE SET x:Placeholder, x.name = a.id CREATE (c)-[r:CONCERNS]->(x) SET r += a.props)
FOREACH (o IN row.observations | MERGE (x:Observation {id: o}) ON CREATE SET x:Placeholder, x.name = o
  CREATE (c)-[:RAISED_FROM {linkedAt: row.linkedAt, linkedBy: row.linkedBy, by: row.by}]->(x))
FOREACH (m IN row.named | MERGE (x:Communication {id: m}) ON CREATE SET x:Placeholder, x.name = m MERGE (x)<-[:HAS_COMMUNICATION]-(c))
FOREACH (m IN row.described | MERGE (x:Communication {id: m.id}) SET x += m.props, x.logicalTime = m.logicalTime REMOVE x:Placeholder MERGE (x)<-[:HAS_COMMUNICATION]-(c))
