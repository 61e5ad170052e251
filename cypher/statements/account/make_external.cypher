// Makes sure that external accounts are there, and locks them until the transaction ends, so that none of them is removed before it is linked. (The label
// that one has already is a lock; where it was removed meanwhile, Neo4j says so, and all is tried again.)
// $rows: [{id, name}]
// returns: id, leaving (whether its payments are being moved away)
UNWIND $rows AS row
MERGE (e:Account {id: row.id})
ON CREATE SET e:ExternalAccount, e.name = row.name
SET e:Account
WITH e
OPTIONAL MATCH (m:PaymentMove {id: e.id})
RETURN e.id AS id, m IS NOT NULL AS leaving
