// Whose numbers are, and with which others payments have named them. Makes sure they are there, and locks them until the transaction ends, so that
// what is read stays true.
// $numbers: [{id, name (read where the number is new)}]; $writeId
// returns: id, name, holders: [[account, source]], named: [ids], moving (whether payments are still being moved by it)
UNWIND $numbers AS number
MERGE (i:AccountIdentifier {id: number.id})
ON CREATE SET i.name = number.name
SET i.writeId = $writeId
WITH i
OPTIONAL MATCH (a:Account)-[l:IDENTIFIED_BY|HINTED_BY]->(i)
WITH i, collect(CASE WHEN a IS NULL THEN NULL ELSE [a.id, l.source] END) AS holders
OPTIONAL MATCH (i)-[:NAMED_WITH]-(j:AccountIdentifier)
WITH i, holders, collect(j.id) AS named
OPTIONAL MATCH (m:PaymentMove)-[:BY]->(i)
WITH i, holders, named, count(m) AS moves
RETURN i.id AS id, i.name AS name, holders, named, moves > 0 AS moving
