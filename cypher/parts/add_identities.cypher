// Part of actor/record: identities of the record beside those that the actor n may have.
FOREACH (p IN row.phones | MERGE (x:Phone {id: p.id}) ON CREATE SET x.name = p.name MERGE (n)-[:HAS_PHONE]->(x))
FOREACH (p IN row.emails | MERGE (x:Email {id: p.id}) ON CREATE SET x.name = p.name MERGE (n)-[:HAS_EMAIL]->(x))
FOREACH (p IN row.addresses | MERGE (x:Address {id: p.id}) ON CREATE SET x.name = p.name MERGE (n)-[:HAS_ADDRESS]->(x))
FOREACH (p IN row.governmentIds | MERGE (x:GovernmentId {id: p.id}) ON CREATE SET x.name = p.name MERGE (n)-[:HAS_GOVERNMENT_ID]->(x))
FOREACH (p IN row.references | MERGE (x:Reference {id: p.id}) ON CREATE SET x.name = p.name MERGE (n)-[:HAS_REFERENCE]->(x))
