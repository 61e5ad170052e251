// Makes the record the present of its account, and keeps it as said of its date. Fields that the record does not have come as null and are removed.
// Its numbers are settled apart (identifier/…).
// $rows: [{id, writeId, props: {…}, references: [{id, name}],
//   versionId, version: {as in keep_version}, logicalTime}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:Account {id: row.id})
SET n += row.props, n.logicalTime = row.logicalTime
REMOVE n:Placeholder, n:ExternalAccount
FOREACH (p IN row.references | MERGE (x:Reference {id: p.id}) ON CREATE SET x.name = p.name MERGE (n)-[:HAS_REFERENCE]->(x))
MERGE (v:AccountVersion {id: row.versionId})
SET v += row.version, v.logicalTime = row.logicalTime
MERGE (v)<-[:HAS_VERSION]-(n)
