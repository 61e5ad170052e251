// Actors that wait to be screened and are due, some of them.
// $now: epoch milliseconds
// returns: id, actorId, submission (what made the actor wait), tries (how often a provider has said nothing)
MATCH (p:PendingScreening)
WHERE p.dueAt <= $now
WITH p LIMIT 200
RETURN p.id AS id, p.actorId AS actorId, p.submission AS submission, p.tries AS tries
