// Links communications to cases. What is only named is a placeholder until somebody describes it.
// $rows: [{id, props: {…} (of the case), named: [id], described: [{id, logicalTime, props: {…}}]}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c += row.props
FOREACH (m IN row.named | MERGE (x:Communication {id: m}) ON CREATE SET x:Placeholder, x.name = m MERGE (x)<-[:HAS_COMMUNICATION]-(c))
FOREACH (m IN row.described | MERGE (x:Communication {id: m.id}) SET x += m.props, x.logicalTime = m.logicalTime REMOVE x:Placeholder MERGE (x)<-[:HAS_COMMUNICATION]-(c))
