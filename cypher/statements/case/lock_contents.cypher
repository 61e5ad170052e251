// Locks cases until the transaction ends, and tells what they have of what the rows name, and how communications are described, whoever's they are.
// $rows: [{id, writeId, actors: [id], observations: [id], communications: [id], properties: [id] (custom properties whose definitions are wanted),
//   answers: [id] (requests for data that a communication is to answer)}]
// returns: id, version, eventSequence, kind, workflow, createdAt, metadata, resolution, customProperties,
//   fieldTimes (JSON: logical times by field), logicalTime (null: not known), clock,
//   actors: [id, FOCUSES_ON or CONCERNS, decision, customData, customProperties], observations: [id],
//   communications: [{id, linked (to the case), known, recordTime (when it was described as a whole),
//   communicationType, subject, content, metadata, customData, senderId, receiverId, createdAt,
//   sentAt, logicalTime, senders: [id], receivers: [id]}],
//   requests: [id, step it was on before (its node), step it waits at (its node)]: the requests for data that are open,
//   answered: [id, id of the communication] (those of the row's answers that a communication has completed), definitions: [id, schema]
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c.writeId = row.writeId
WITH c, row.actors AS people, row.observations AS named, row.communications AS written, row.properties AS properties, row.answers AS answers
CALL {
  WITH c, people
  UNWIND people AS person
  MATCH (a:Actor {id: person})
  MATCH (c)-[r:FOCUSES_ON|CONCERNS]->(a)
  RETURN collect([a.id, type(r), r.decision, r.customData, r.customProperties]) AS actors
}
CALL {
  WITH c, named
  UNWIND named AS observation
  MATCH (o:Observation {id: observation})
  MATCH (c)-[:RAISED_FROM]->(o)
  RETURN collect(o.id) AS observations
}
CALL {
  WITH c, written
  UNWIND written AS communication
  MATCH (m:Communication {id: communication})
  OPTIONAL MATCH (m)<-[link:HAS_COMMUNICATION]-(c)
  WITH m, count(link) > 0 AS linked
  OPTIONAL MATCH (m)-[:SENT_BY]->(s:Actor)
  WITH m, linked, collect(s.id) AS senders
  OPTIONAL MATCH (m)-[:SENT_TO]->(r:Actor)
  WITH m, linked, senders, collect(r.id) AS receivers
  RETURN collect({id: m.id, linked: linked, known: NOT m:Placeholder, recordTime: CASE WHEN m.record IS NULL THEN null ELSE coalesce(m.recordTime, m.logicalTime) END,
    communicationType: m.communicationType, subject: m.subject, content: m.content,
    metadata: m.metadata, customData: m.customData, senderId: m.senderId, receiverId: m.receiverId, createdAt: m.createdAt, sentAt: m.sentAt,
    logicalTime: m.logicalTime, senders: senders, receivers: receivers}) AS communications
}
CALL {
  WITH c
  MATCH (c)<-[:ABOUT]-(q:RequestForData)
  WHERE q.status = 'REQUESTED'
  WITH q ORDER BY q.id
  RETURN collect([q.id, q.stepBefore, q.waitsAt]) AS requests
}
CALL {
  WITH c, answers
  UNWIND answers AS answer
  MATCH (q:RequestForData {id: answer})-[:ANSWERED_BY]->(m:Communication)
  MATCH (q)-[:ABOUT]->(c)
  RETURN collect([q.id, m.id]) AS answered
}
CALL {
  WITH properties
  UNWIND properties AS property
  MATCH (p:CustomProperty {id: property})
  RETURN collect([p.id, p.schema]) AS definitions
}
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
RETURN c.id AS id, c.version AS version, c.eventSequence AS eventSequence, c.type AS kind, c.workflowId AS workflow, c.createdAt AS createdAt,
  c.metadata AS metadata, c.resolution AS resolution, c.customProperties AS customProperties, c.fieldTimes AS fieldTimes,
  c.logicalTime AS logicalTime, clock.time AS clock, actors, observations, communications, requests,
  answered, definitions
