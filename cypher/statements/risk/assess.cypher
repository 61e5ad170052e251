// Keeps risk assessments of an actor; the same type for the same date again replaces the value.
// $rows: [{id (of the actor), assessments: [{id, props: {name, type, value, comment, asOfDate, recordedAt}}]}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
WITH n, row
UNWIND row.assessments AS assessment
MERGE (x:RiskAssessment {id: assessment.id})
SET x += assessment.props
MERGE (x)<-[:HAS_RISK_ASSESSMENT]-(n)
