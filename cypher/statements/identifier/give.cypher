// Links numbers to who has them: by an account's own record, or by what payments say.
// $rows: [{id, account, source (RECORD or PAYMENT), name (of the number, where a record says it; or null)}]
// returns: nothing
UNWIND $rows AS row
MATCH (a:Account {id: row.account})
MATCH (i:AccountIdentifier {id: row.id})
MERGE (a)-[l:IDENTIFIED_BY]->(i)
SET l.source = row.source
SET i.name = coalesce(row.name, i.name)
