// Part of actor/record_newer: identities of the record, of an actor n that has none now. No MERGE, which would look twice for links that are not there.
FOREACH (p IN row.phones | MERGE (x:Phone {id: p.id}) ON CREATE SET x.name = p.name CREATE (n)-[:HAS_PHONE]->(x))
FOREACH (p IN row.emails | MERGE (x:Email {id: p.id}) ON CREATE SET x.name = p.name CREATE (n)-[:HAS_EMAIL]->(x))
FOREACH (p IN row.addresses | MERGE (x:Address {id: p.id}) ON CREATE SET x.name = p.name CREATE (n)-[:HAS_ADDRESS]->(x))
FOREACH (p IN row.governmentIds | MERGE (x:GovernmentId {id: p.id}) ON CREATE SET x.name = p.name CREATE (n)-[:HAS_GOVERNMENT_ID]->(x))
FOREACH (p IN row.references | MERGE (x:Reference {id: p.id}) ON CREATE SET x.name = p.name CREATE (n)-[:HAS_REFERENCE]->(x))
