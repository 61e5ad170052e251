// Assesses actors' risks.
// $rows: [{id, actor, type, value, asOfDate, recordedAt}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Actor {id: row.actor})
CREATE (x:RiskAssessment {id: row.id, name: row.type})
SET x += {type: row.type, value: row.value, asOfDate: row.asOfDate, recordedAt: row.recordedAt}
CREATE (a)-[:HAS_RISK_ASSESSMENT]->(x)
