// Numbers that one payment names together: they are one account's.
// $rows: [{one, other}]
// returns: nothing
UNWIND $rows AS row
MATCH (i:AccountIdentifier {id: row.one})
MATCH (j:AccountIdentifier {id: row.other})
MERGE (i)-[:NAMED_WITH]->(j)
