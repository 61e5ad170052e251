// Links associates to an actor: (associate)-[:ASSOCIATED_WITH {type}]->(actor) reads "the associate is the actor's …". The same associate in
// the same part again is an update, unless it speaks of an older date. Where it says something else than before, and not the same as of another date, what it
// said is kept, with the time in which it was known.
// No two rows are about one actor. The actor is locked before anything is read of it.
// $rows: [{id (of the actor), at, associates: [{id, name, isNamed, type, isLast (nothing is said of the same one in the same part behind it), ratio,
// dataSource, isCustomer, references: [text], ownReferences: [{id, name}] (of one without a record), asOfDate}]}]
// returns: nothing
UNWIND $rows AS row
MERGE (n:Actor {id: row.id})
ON CREATE SET n:Placeholder, n.name = row.id
SET n:Actor
WITH n, row
UNWIND row.associates AS associate
MERGE (a:Actor {id: associate.id})
ON CREATE SET a:Placeholder, a.name = associate.name
FOREACH (_ IN CASE WHEN a:Placeholder AND associate.isNamed THEN [1] ELSE [] END | SET a.name = associate.name)
FOREACH (p IN associate.ownReferences | MERGE (x:Reference {id: p.id}) ON CREATE SET x.name = p.name MERGE (a)-[:HAS_REFERENCE]->(x))
WITH n, a, row.at AS at, associate
WHERE associate.isLast
OPTIONAL MATCH (a)-[old:ASSOCIATED_WITH]->(n)
WHERE old.type = associate.type
WITH n, a, at, associate, old, CASE WHEN old IS NULL THEN 'FIRST' WHEN old.asOfDate > associate.asOfDate THEN 'PAST'
  WHEN coalesce(old.ratio, -1.0) = coalesce(associate.ratio, -1.0) AND coalesce(old.dataSource, '') = coalesce(associate.dataSource, '')
    AND (old.isCustomer IS NULL) = (associate.isCustomer IS NULL) AND coalesce(old.isCustomer, false) = coalesce(associate.isCustomer, false)
    AND coalesce(old.references, []) = associate.references THEN 'SAME'
  ELSE 'CHANGED' END AS meaning
WHERE meaning <> 'PAST'
WITH n, a, associate, old, meaning, CASE WHEN meaning = 'SAME' OR old.since > at THEN old.since ELSE at END AS since
FOREACH (_ IN CASE meaning WHEN 'CHANGED' THEN [1] ELSE [] END | CREATE (a)-[:WAS_ASSOCIATED_WITH {type: old.type, ratio: old.ratio,
  asOfDate: old.asOfDate, dataSource: old.dataSource, isCustomer: old.isCustomer, references: old.references, since: old.since, until: since}]->(n))
MERGE (a)-[r:ASSOCIATED_WITH {type: associate.type}]->(n)
SET r += {asOfDate: associate.asOfDate, ratio: associate.ratio, dataSource: associate.dataSource, isCustomer: associate.isCustomer,
  references: associate.references, since: since}
