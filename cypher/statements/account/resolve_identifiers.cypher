// Which account has a number; an external one only where no other has it. Locks the number until the transaction ends, so that an account that
// arrives with it meanwhile waits.
// $rows: [{id, name, writeId}], ids such as `iban:DE89…`
// returns: id, account (null when no account has the number)
UNWIND $rows AS row
MERGE (x:AccountIdentifier {id: row.id})
ON CREATE SET x.name = row.name
SET x.writeId = row.writeId
WITH x
OPTIONAL MATCH (n:Account)-[:IDENTIFIED_BY]->(x)
WITH x, n ORDER BY CASE WHEN n:ExternalAccount THEN 1 ELSE 0 END, n.id
RETURN x.id AS id, collect(n.id)[0] AS account
