// Moves payments from one account to another, at the counterparty's end.
// $rows: [{id, link (SENT or RECEIVED_BY), from, to}]
// returns: nothing
UNWIND $rows AS row
MATCH (t:Transaction {id: row.id})-[old:SENT|RECEIVED_BY]-(a:Account)
WHERE type(old) = row.link AND a.id = row.from
MATCH (n:Account {id: row.to})
DELETE old
FOREACH (_ IN CASE row.link WHEN 'SENT' THEN [1] ELSE [] END | CREATE (t)<-[:SENT]-(n))
FOREACH (_ IN CASE row.link WHEN 'SENT' THEN [] ELSE [1] END | CREATE (t)-[:RECEIVED_BY]->(n))
