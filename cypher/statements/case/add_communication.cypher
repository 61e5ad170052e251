// Adds a communication to cases, described anew, with the actors who wrote and received it, and completes the request for data that it answers. No two
// rows are about one communication.
// $rows: [{id, props: {…} (of the case), communication, logicalTime, fields: {…}, senders: [id], receivers: [id]: of each one or none, answered: [{id, props: {…}}]}]
// returns: nothing
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
MERGE (m:Communication {id: row.communication})
SET c += row.props, m += row.fields, m.logicalTime = row.logicalTime, m.recordTime = row.logicalTime
REMOVE m:Placeholder
MERGE (m)<-[:HAS_COMMUNICATION]-(c)
FOREACH (q IN row.answered | MERGE (x:RequestForData {id: q.id}) SET x += q.props MERGE (x)-[:ANSWERED_BY]->(m))
WITH m, row
OPTIONAL MATCH (m)-[sent:SENT_BY]->(:Actor)
DELETE sent
WITH DISTINCT m, row
OPTIONAL MATCH (m)-[received:SENT_TO]->(:Actor)
DELETE received
WITH DISTINCT m, row
FOREACH (a IN row.senders | MERGE (x:Actor {id: a}) ON CREATE SET x:Placeholder, x.name = a CREATE (m)-[:SENT_BY]->(x))
FOREACH (a IN row.receivers | MERGE (x:Actor {id: a}) ON CREATE SET x:Placeholder, x.name = a CREATE (m)-[:SENT_TO]->(x))
