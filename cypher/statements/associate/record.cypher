// Links associates to an actor: (associate)-[:ASSOCIATED_WITH {type}]->(actor) reads "the associate is the actor's …". The same associate in
// the same part again is an update, unless it speaks of an older date.
// $rows: [{id (of the actor), associates: [{id, name, isNamed, type, ratio, dataSource, isCustomer, references: [text],
// ownReferences: [{id, name}] (of one without a record), asOfDate}]}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
WITH n, row
UNWIND row.associates AS associate
MERGE (a:Actor {id: associate.id})
ON CREATE SET a:Placeholder, a.name = associate.name
FOREACH (_ IN CASE WHEN a:Placeholder AND associate.isNamed THEN [1] ELSE [] END | SET a.name = associate.name)
FOREACH (p IN associate.ownReferences | MERGE (x:Reference {id: p.id}) ON CREATE SET x.name = p.name MERGE (a)-[:HAS_REFERENCE]->(x))
MERGE (a)-[r:ASSOCIATED_WITH {type: associate.type}]->(n)
SET r += CASE WHEN r.asOfDate IS NULL OR r.asOfDate <= associate.asOfDate
  THEN {asOfDate: associate.asOfDate, ratio: associate.ratio, dataSource: associate.dataSource, isCustomer: associate.isCustomer,
    references: associate.references} ELSE {} END
