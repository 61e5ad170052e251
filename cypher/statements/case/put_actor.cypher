// Links actors to cases, in place of the link that may have been there, and completes the requests for data that this answers. The
// actor is locked as by case/create.
// $rows: [{id, props: {…} (of the case), actor, focal: [{…}] or [], connected: [{…}] or []: of the two one has the link's fields,
//   answered: [{id, props: {…}}]}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
MERGE (a:Actor {id: row.actor})
ON CREATE SET a:Placeholder, a.name = row.actor
SET c += row.props, a:Actor
WITH c, a, row
OPTIONAL MATCH (c)-[old:FOCUSES_ON|CONCERNS]->(a)
DELETE old
FOREACH (link IN row.focal | CREATE (c)-[r:FOCUSES_ON]->(a) SET r += link)
FOREACH (link IN row.connected | CREATE (c)-[r:CONCERNS]->(a) SET r += link)
FOREACH (q IN row.answered | MERGE (x:RequestForData {id: q.id}) SET x += q.props MERGE (x)-[:ANSWERED_BY]->(a))
