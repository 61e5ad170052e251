// Links accounts to their own ids, as payments have named them beside numbers: by the account's own record, where it has one, or by what payments say.
// $rows: [{id, account, source (RECORD or PAYMENT), name (not read)}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Account {id: row.account})
MATCH (i:AccountIdentifier {id: row.id})
MERGE (a)-[l:HINTED_BY]->(i)
SET l.source = row.source
