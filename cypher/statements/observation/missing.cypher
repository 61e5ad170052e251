// Which of what observations name is not there, or was only named so far.
// $transactions, $actors, $entities: ids
// returns: id, link (by which an observation would lead there)
UNWIND $transactions AS id
OPTIONAL MATCH (x:Transaction {id: id})
WITH id, x.record AS record
WHERE record IS NULL
RETURN id, 'CITES' AS link
UNION ALL
UNWIND $actors AS id
OPTIONAL MATCH (x:Actor {id: id})
WITH id, x.record AS record
WHERE record IS NULL
RETURN id, 'ABOUT' AS link
UNION ALL
UNWIND $entities AS id
OPTIONAL MATCH (x:Actor {id: id})
WITH id, x.record AS record
WHERE record IS NULL
RETURN id, 'MENTIONS' AS link
