// Locks cases until the transaction ends, and tells which of the actors named are theirs, what the cases say of them, and how the custom properties
// named are defined.
// $rows: [{id, writeId, actors: [id], properties: [id], answers: [id] (requests for data that an actor is to answer)}]
// returns: id, version, eventSequence, fieldTimes (JSON: logical times by field), logicalTime (null: not known), clock,
//   actors: [id, FOCUSES_ON or CONCERNS, decision, customData, customProperties],
//   requests: [id, step it was on before (its node), step it waits at (its node)]: the requests for data that are open,
//   answered: [id, id of the actor] (those of the row's answers that an actor has completed), definitions: [id, schema]
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c.writeId = row.writeId
WITH c, row.actors AS actors, row.properties AS properties, row.answers AS answers
CALL {
  WITH c, actors
  UNWIND actors AS actor
  MATCH (a:Actor {id: actor})
  MATCH (c)-[r:FOCUSES_ON|CONCERNS]->(a)
  RETURN collect([a.id, type(r), r.decision, r.customData, r.customProperties]) AS found
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
  MATCH (q:RequestForData {id: answer})-[:ANSWERED_BY]->(a:Actor)
  MATCH (q)-[:ABOUT]->(c)
  RETURN collect([q.id, a.id]) AS answered
}
CALL {
  WITH properties
  UNWIND properties AS property
  MATCH (p:CustomProperty {id: property})
  RETURN collect([p.id, p.schema]) AS definitions
}
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
RETURN c.id AS id, c.version AS version, c.eventSequence AS eventSequence, c.fieldTimes AS fieldTimes, c.logicalTime AS logicalTime,
  clock.time AS clock, found AS actors, requests, answered, definitions
