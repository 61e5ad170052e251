// Some of the events that nobody was told of yet.
// $most
// returns: id, caseId, sequence
MATCH (e:Pending)
WITH e LIMIT $most
RETURN e.id AS id, e.caseId AS caseId, e.sequence AS sequence
