// Says of observations of cases what somebody thinks of them, in place of what was said before.
// $rows: [{id, props: {…} (of the case), observation, feedbackId, feedback: {name, feedback, userId, createdAt, caseId, observationId}}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
MATCH (o:Observation {id: row.observation})
SET c += row.props
WITH c, o, row
MATCH (c)-[r:RAISED_FROM]->(o)
SET r.feedback = row.feedback.feedback
MERGE (f:ObservationFeedback {id: row.feedbackId})
SET f += row.feedback
MERGE (f)<-[:HAS_FEEDBACK]-(c)
MERGE (f)-[:GIVEN_ON]->(o)
