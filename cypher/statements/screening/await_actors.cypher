// Lets actors wait to be screened of which a provider has said nothing. Of one that waits already nothing changes: it is screened as it is now.
// The actor is locked before it waits, as screening/drop_pending locks it before it takes the actor from those that wait.
// $rows: [{id, name, submission, tries, dueAt (epoch milliseconds)}]
// returns: nothing
UNWIND $rows AS row
MERGE (a:Actor {id: row.id})
ON CREATE SET a:Placeholder, a.name = row.id
SET a.writeId = row.submission
WITH row
MERGE (p:PendingScreening {id: row.id})
ON CREATE SET p.name = row.name, p.actorId = row.id, p.submission = row.submission, p.tries = row.tries, p.dueAt = row.dueAt
