// Locks cases until the transaction ends, and tells all that is decided by. A case that is not there has no row.
// $rows: [{id, writeId, observations: [id], transactions: [id], actors: [id], users: [id], properties: [id] (of which more
//   is to be known)}]
// returns: id, version, eventSequence, workflow, step (its node), stepId, status, state, assignee, metadata, resolution, customProperties, jurisdiction, fieldTimes (JSON: logical
//   times by field), logicalTime (null: not known), clock,
//   moves: [action, step (its node), stepId, status, state],
//   requests: [id, step it was on before (its node), step it waits at (its node)]: the requests for data that are open,
//   observations: [id, feedback, action, metadata, customData] (those of the row's that the case was raised from),
//   transactions: [id, whether it is the case's, decision] (those of the row's that have come; the case's are those that its observations cite, and
//   those whose owner or counterparty is one of its actors),
//   actors: [id, FOCUSES_ON or CONCERNS, decision, customData, customProperties] (those of the row's that are the case's), users: [id, enabled] (those of the row's that are there), tags: [id],
//   definitions: [id, schema] (of the row's properties, as far as they are defined)
UNWIND $rows AS row
MATCH (c:`Case` {id: row.id})
SET c.writeId = row.writeId
WITH c, row.observations AS named, row.transactions AS payments, row.actors AS people, row.users AS assignees,
  row.properties AS properties
MATCH (c)-[:AT_STEP]->(s:WorkflowStep)
CALL {
  WITH s
  MATCH (s)-[m:MAY_MOVE_TO]->(t:WorkflowStep)
  WITH m, t ORDER BY m.action
  RETURN collect([m.action, t.id, t.stepId, t.status, t.state]) AS moves
}
CALL {
  WITH c
  MATCH (c)<-[:ABOUT]-(q:RequestForData)
  WHERE q.status = 'REQUESTED'
  WITH q ORDER BY q.id
  RETURN collect([q.id, q.stepBefore, q.waitsAt]) AS requests
}
CALL {
  WITH c, named
  UNWIND named AS observation
  MATCH (o:Observation {id: observation})
  MATCH (c)-[r:RAISED_FROM]->(o)
  RETURN collect([o.id, r.feedback, r.action, o.metadata, o.customData]) AS observations
}
CALL {
  WITH c, payments
  UNWIND payments AS payment
  MATCH (t:Transaction {id: payment})
  WHERE NOT t:AwaitedTransaction
  OPTIONAL MATCH (t)<-[:CITES]-(o:Observation)<-[:RAISED_FROM]-(c)
  WITH c, t, count(o) AS citing
  OPTIONAL MATCH (t)-[:OWNED_BY|INVOLVES]->(a:Actor)<-[:FOCUSES_ON|CONCERNS]-(c)
  WITH c, t, citing, count(a) AS parties
  OPTIONAL MATCH (c)-[r:DECIDED_ON]->(t)
  RETURN collect([t.id, citing + parties > 0, r.decision]) AS transactions
}
CALL {
  WITH c, people
  UNWIND people AS person
  MATCH (a:Actor {id: person})
  MATCH (c)-[r:FOCUSES_ON|CONCERNS]->(a)
  RETURN collect([a.id, type(r), r.decision, r.customData, r.customProperties]) AS actors
}
CALL {
  WITH assignees
  UNWIND assignees AS somebody
  MATCH (u:User {id: somebody})
  RETURN collect([u.id, u.enabled]) AS users
}
CALL {
  WITH c
  MATCH (c)-[:HAS_TAG]->(t:Tag)
  WITH t ORDER BY t.id
  RETURN collect(t.id) AS tags
}
CALL {
  WITH properties
  UNWIND properties AS property
  MATCH (p:CustomProperty {id: property})
  RETURN collect([p.id, p.schema]) AS definitions
}
OPTIONAL MATCH (clock:LogicalClock {id: 'acknowledgement'})
RETURN c.id AS id, c.version AS version, c.eventSequence AS eventSequence, c.workflowId AS workflow, s.id AS step, s.stepId AS stepId,
  s.status AS status, s.state AS state, c.assigneeId AS assignee, c.metadata AS metadata, c.resolution AS resolution,
  c.customProperties AS customProperties, c.jurisdiction AS jurisdiction, c.fieldTimes AS fieldTimes,
  c.logicalTime AS logicalTime, clock.time AS clock, moves, requests, observations, transactions, actors, users, tags, definitions
