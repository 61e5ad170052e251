// Makes the record its observation's: fields, payments, actors, rules. Fields that the record does not have come as null and are removed. Actors
// that were linked by somebody else stay, with what he has said of them unless the record says otherwise. A payment that has not come is a placeholder, and is no payment to anybody until it does.
// What the payments add up to is the larger of what outbound and inbound records say: many payments have a record on either side (observation/add_up keeps it).
// $rows: [{id, replaces (what was said before; else only props are changed), props: {…}, transactions: [{id, link: {evidence (or absent)}}], actors: [{id, primary (or null)}],
//   entities: [id], rules: [{id, name, link: {…}}]}]
// returns: nothing
// allows: 19 because millions, what is left of them and billionths are each far below 64 bits for as many payments as a record may name
UNWIND [row IN $rows WHERE row.replaces] AS row
MATCH (o:Observation {id: row.id})-[old:CITES|ABOUT|MENTIONS|MATCHED]->(other)
WHERE type(old) <> 'ABOUT' OR old.recorded
DELETE old
WITH count(*) AS removed
UNWIND $rows AS row
MATCH (o:Observation {id: row.id})
SET o += row.props
REMOVE o:Placeholder
FOREACH (t IN row.transactions | MERGE (x:Transaction {id: t.id}) ON CREATE SET x:Placeholder, x:AwaitedTransaction, x.name = t.id CREATE (o)-[r:CITES]->(x) SET r += t.link)
FOREACH (a IN row.actors | MERGE (x:Actor {id: a.id}) ON CREATE SET x:Placeholder, x.name = a.id
  MERGE (o)-[r:ABOUT]->(x) ON CREATE SET r.recorded = true SET r.primary = coalesce(a.primary, r.primary, false))
FOREACH (e IN row.entities | MERGE (x:Actor {id: e}) ON CREATE SET x:Placeholder, x.name = e CREATE (o)-[:MENTIONS]->(x))
FOREACH (m IN row.rules | MERGE (x:ObservationRule {id: m.id}) ON CREATE SET x.name = m.name CREATE (o)-[r:MATCHED]->(x) SET r += m.link)
WITH DISTINCT o
