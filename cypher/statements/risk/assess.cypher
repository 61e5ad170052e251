// Keeps risk assessments of an actor. One that is said again was known since it was said first, by whoever has said it then.
// $rows: [{id (of the actor), assessments: [{id, recordedAt, recordedBy, props: {name, type, value, comment, asOfDate}}]}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
WITH n, row
UNWIND row.assessments AS assessment
MERGE (x:RiskAssessment {id: assessment.id})
ON CREATE SET x.recordedAt = assessment.recordedAt, x.recordedBy = assessment.recordedBy
SET x += assessment.props
MERGE (x)<-[:HAS_RISK_ASSESSMENT]-(n)
