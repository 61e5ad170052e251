// Makes sure the accounts are there, at least as placeholders, and locks them until the transaction ends, so that what is read stays true.
// $rows: [{id, versionId, writeId}]
// returns: id, asOfDate (null for a placeholder), record (null for a placeholder), version (what was said before as of the row's date, or null),
//   numbers (ids of those that its own record names)
UNWIND $rows AS row
MERGE (n:Account {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
SET n.writeId = row.writeId
WITH n, row
OPTIONAL MATCH (v:AccountVersion {id: row.versionId})
WITH n, v
OPTIONAL MATCH (n)-[l:IDENTIFIED_BY]->(i:AccountIdentifier)
WHERE l.source = 'RECORD'
RETURN n.id AS id, n.asOfDate AS asOfDate, n.record AS record, v.record AS version, collect(i.id) AS numbers
