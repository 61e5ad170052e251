// Makes the record the present of its actor: fields, labels and identities; and keeps it as said of its date. Fields that the record does not have
// come as null and are removed.
// $rows: [{id, kind, props: {…}, phones, emails, addresses, governmentIds, references: [{id, name}],
//   versionId, version: {as in keep_version}}]
// returns: nothing
UNWIND $rows AS row
MATCH (n:Actor {id: row.id})
SET n += row.props
REMOVE n:Placeholder, n:Individual, n:LegalEntity
FOREACH (_ IN CASE WHEN row.kind = 'INDIVIDUAL' THEN [1] ELSE [] END | SET n:Individual)
FOREACH (_ IN CASE WHEN row.kind = 'LEGAL_ENTITY' THEN [1] ELSE [] END | SET n:LegalEntity)
FOREACH (p IN row.phones | MERGE (x:Phone {id: p.id}) ON CREATE SET x.name = p.name MERGE (n)-[:HAS_PHONE]->(x))
FOREACH (p IN row.emails | MERGE (x:Email {id: p.id}) ON CREATE SET x.name = p.name MERGE (n)-[:HAS_EMAIL]->(x))
FOREACH (p IN row.addresses | MERGE (x:Address {id: p.id}) ON CREATE SET x.name = p.name MERGE (n)-[:HAS_ADDRESS]->(x))
FOREACH (p IN row.governmentIds | MERGE (x:GovernmentId {id: p.id}) ON CREATE SET x.name = p.name MERGE (n)-[:HAS_GOVERNMENT_ID]->(x))
FOREACH (p IN row.references | MERGE (x:Reference {id: p.id}) ON CREATE SET x.name = p.name MERGE (n)-[:HAS_REFERENCE]->(x))
MERGE (v:ActorVersion {id: row.versionId})
SET v += row.version
MERGE (v)<-[:HAS_VERSION]-(n)
