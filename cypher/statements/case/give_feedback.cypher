// Says of observations of cases what somebody thinks of them, in place of what was said before, which is kept with the time until which it stood.
// $rows: [{id, props: {…} (of the case), observation, feedbackId, formerId, feedback: {name, feedback, userId, createdAt, caseId, observationId}}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
MATCH (o:Observation {id: row.observation})
SET c += row.props
WITH c, o, row
MATCH (c)-[r:RAISED_FROM]->(o)
SET r.feedback = row.feedback.feedback
MERGE (f:ObservationFeedback {id: row.feedbackId})
FOREACH (_ IN CASE WHEN f.feedback IS NULL THEN [] ELSE [1] END |
  CREATE (x:FormerObservationFeedback {id: row.formerId, name: f.name, feedback: f.feedback, userId: f.userId, createdAt: f.createdAt,
    until: row.feedback.createdAt, caseId: f.caseId, observationId: f.observationId})
  CREATE (x)-[:GIVEN_ON]->(o))
SET f += row.feedback
MERGE (f)<-[:HAS_FEEDBACK]-(c)
MERGE (f)-[:GIVEN_ON]->(o)
