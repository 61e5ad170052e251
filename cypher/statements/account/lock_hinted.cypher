// Makes sure accounts are there whose ids payments name beside numbers, at least as placeholders, and locks them until the transaction ends.
// $rows: [{id, writeId}]
// returns: id, recorded (whether it has a record)
UNWIND $rows AS row
MERGE (n:Account {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
SET n.writeId = row.writeId
RETURN n.id AS id, n.record IS NOT NULL AS recorded
