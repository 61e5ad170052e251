// Notes what somebody did with observations of cases.
// $rows: [{id, props: {…} (of the case), observation, actionId, action: {name, action, userId, createdAt, comment, caseId, observationId}}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
MATCH (o:Observation {id: row.observation})
SET c += row.props
WITH c, o, row
MATCH (c)-[r:RAISED_FROM]->(o)
SET r.action = row.action.action
MERGE (x:ObservationAction {id: row.actionId})
SET x += row.action
MERGE (x)<-[:HAS_OBSERVATION_ACTION]-(c)
MERGE (x)-[:TAKEN_ON]->(o)
