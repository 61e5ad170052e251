// Forgets counts that have no case any more.
// $ids
// returns: nothing
UNWIND $ids AS id
MATCH (n:CaseCount {id: id})
WITH n, n.count AS number
WHERE number = 0
DELETE n
