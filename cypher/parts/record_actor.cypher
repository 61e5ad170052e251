// Part of actor/record and actor/record_newer: the record becomes the present of its actor n, and is kept as said of its date.
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
