// Accounts with the numbers that their records name, and owners.
// $rows: [{id, owner, numbers: [{id, name}]}]
// returns: nothing
UNWIND $rows AS row
MERGE (a:Account {id: row.id})
SET a.name = row.id
MERGE (o:Actor {id: row.owner})
SET o.name = row.owner
FOREACH (n IN row.numbers | MERGE (i:AccountIdentifier {id: n.id}) ON CREATE SET i.name = n.name
  MERGE (a)-[l:IDENTIFIED_BY]->(i) ON CREATE SET l.source = 'RECORD')
