// Takes actors from those that wait to be screened; what has come since they were screened waits on. First the actor is locked, as its writes do before they
// let it wait: Neo4j forgets without a word what a write sets of a node that it has found and that is removed meanwhile. Then what waits is locked, so that
// what is read of it is so until the transaction ends.
// $rows: [{id, actor, submission}]
// returns: nothing
UNWIND $rows AS row
MERGE (a:Actor {id: row.actor})
ON CREATE SET a:Placeholder, a.name = row.actor
SET a.writeId = row.submission
WITH row
MATCH (p:PendingScreening {id: row.id})
SET p.writeId = row.submission
WITH p, row, p.submission AS submission
WHERE submission = row.submission
DETACH DELETE p
