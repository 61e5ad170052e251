// Takes back what somebody thinks of observations of cases. It is kept with the time until which it stood.
// $rows: [{id, props: {…} (of the case), observation, feedbackId, formerId, until}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
MATCH (o:Observation {id: row.observation})
MATCH (f:ObservationFeedback {id: row.feedbackId})
SET c += row.props
WITH c, o, f, row
MATCH (c)-[r:RAISED_FROM]->(o)
SET r.feedback = null
CREATE (x:FormerObservationFeedback {id: row.formerId, name: f.name, feedback: f.feedback, userId: f.userId, createdAt: f.createdAt,
  until: row.until, caseId: f.caseId, observationId: f.observationId})
CREATE (x)-[:GIVEN_ON]->(o)
DETACH DELETE f
