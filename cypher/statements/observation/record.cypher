// Makes the record its observation's: fields, payments, actors, rules. Fields that the record does not have come as null and are removed. Actors
// that were linked by somebody else stay, with what he has said of them unless the record says otherwise. A payment that has not come is a placeholder, and is no payment to anybody until it does.
// $rows: [{id, replaces (what was said before; else only props are changed), props: {…}, transactions: [id], actors: [{id, primary (or null)}],
//   entities: [id], rules: [{id, name, link: {…}}]}]
// returns: nothing
UNWIND [row IN $rows WHERE row.replaces] AS row
MATCH (o:Observation {id: row.id})-[old:CITES|ABOUT|MENTIONS|MATCHED]->(other)
WHERE type(old) <> 'ABOUT' OR old.recorded
DELETE old
WITH count(*) AS removed
UNWIND $rows AS row
MATCH (o:Observation {id: row.id})
SET o += row.props
REMOVE o:Placeholder
FOREACH (t IN row.transactions | MERGE (x:Transaction {id: t}) ON CREATE SET x:Placeholder, x:AwaitedTransaction, x.name = t CREATE (o)-[:CITES]->(x))
FOREACH (a IN row.actors | MERGE (x:Actor {id: a.id}) ON CREATE SET x:Placeholder, x.name = a.id
  MERGE (o)-[r:ABOUT]->(x) ON CREATE SET r.recorded = true SET r.primary = coalesce(a.primary, r.primary, false))
FOREACH (e IN row.entities | MERGE (x:Actor {id: e}) ON CREATE SET x:Placeholder, x.name = e CREATE (o)-[:MENTIONS]->(x))
FOREACH (m IN row.rules | MERGE (x:ObservationRule {id: m.id}) ON CREATE SET x.name = m.name CREATE (o)-[r:MATCHED]->(x) SET r += m.link)
