// Makes sure the actors are there, at least as placeholders, and locks them until the transaction ends, so that what is read stays true.
// $rows: [{id, writeId}]
// returns: id, asOfDate (null for a placeholder), record (null for a placeholder)
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
SET n.writeId = row.writeId
RETURN n.id AS id, n.asOfDate AS asOfDate, n.record AS record
