// Makes cases of what case/prepare has locked, or of ids that are new: their fields, the step they are on, whom they are about, what they were raised from, what
// was written about them. What is only named is a placeholder until its own record comes. Actors in the focus are locked (`SET x:Actor`), in the order of
// their ids: of a case and a score that come together one sees the other.
// $rows: [{id, props: {…}, step, focal: [{id, props}], connected: [{id, props}], observations: [id], linkedAt: epoch milliseconds,
//   linkedBy (the write's id), by (whose write it is, who is the case's creator), logicalTime (null: that of the clock), named: [id (of a communication)],
//   described: [{id (of a communication), logicalTime, props}], analyses: [id] (of cases that it reports on, which are there)}]
// returns: nothing
UNWIND $rows AS row
MATCH (s:WorkflowStep {id: row.step})
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
MERGE (c:`Case` {id: row.id})
WITH c, s, row, coalesce(row.logicalTime, clock.time) AS time
SET c += row.props, c.logicalTime = time
CREATE (c)-[:AT_STEP]->(s)
FOREACH (a IN row.focal | MERGE (x:Actor {id: a.id}) ON CREATE SET x:Placeholder, x.name = a.id SET x:Actor CREATE (c)-[r:FOCUSES_ON]->(x) SET r += a.props)
FOREACH (a IN row.connected | MERGE (x:Actor {id: a.id}) ON CREATE SET x:Placeholder, x.name = a.id CREATE (c)-[r:CONCERNS]->(x) SET r += a.props)
FOREACH (o IN row.observations | MERGE (x:Observation {id: o}) ON CREATE SET x:Placeholder, x.name = o
  CREATE (c)-[:RAISED_FROM {linkedAt: row.linkedAt, linkedBy: row.linkedBy, by: row.by}]->(x))
FOREACH (m IN row.named | MERGE (x:Communication {id: m}) ON CREATE SET x:Placeholder, x.name = m MERGE (x)<-[:HAS_COMMUNICATION]-(c))
FOREACH (m IN row.described | MERGE (x:Communication {id: m.id}) SET x += m.props, x.logicalTime = m.logicalTime REMOVE x:Placeholder MERGE (x)<-[:HAS_COMMUNICATION]-(c))
FOREACH (a IN row.analyses | MERGE (x:`Case` {id: a}) MERGE (x)<-[:REPORTS_ON]-(c))
SET c.createdBy = row.by
WITH c, s, row.linkedAt AS at
