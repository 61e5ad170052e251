// Keeps a risk score of an actor.
// $rows: [{id (of the actor), scoreId, score: {name, riskRuleId, asOfDate, finalScore, dataSource, ingestedAt, ingestedBy, record, …}}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
CREATE (x:RiskScore {id: row.scoreId})
SET x += row.score
CREATE (x)<-[:HAS_RISK_SCORE]-(n)
