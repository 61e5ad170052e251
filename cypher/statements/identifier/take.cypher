// Takes numbers from who had them.
// $rows: [{id, account}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Account {id: row.account})-[l:IDENTIFIED_BY]->(i:AccountIdentifier)
WHERE i.id = row.id
DELETE l
