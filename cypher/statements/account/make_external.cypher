// Makes sure that external accounts are there.
// $rows: [{id, name}]
// returns: id, leaving (whether its payments are being moved away)
UNWIND $rows AS row
MERGE (e:Account {id: row.id})
ON CREATE SET e:ExternalAccount, e.name = row.name
WITH e
OPTIONAL MATCH (m:PaymentMove {id: e.id})
RETURN e.id AS id, m IS NOT NULL AS leaving
