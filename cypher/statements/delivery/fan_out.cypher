// Puts deliveries in the lanes of their cases to their webhooks. A lane is locked as it is found or made; one that goes at the same moment makes this
// fail (no link can be made to it), and the transaction is tried again.
// $rows: [{id, name, eventId, eventName, caseId, sequence, webhookId, laneId, now}], sorted by laneId, in each by sequence
// returns: nothing
UNWIND $rows AS row
MATCH (e:Event {id: row.eventId})
MATCH (w:Webhook {id: row.webhookId})
MERGE (l:DeliveryLane {id: row.laneId})
ON CREATE SET l.name = row.laneId, l.webhookId = row.webhookId, l.holder = ''
SET l.dueAt = coalesce(l.dueAt, row.now)
CREATE (d:Delivery {id: row.id, name: row.name, webhookId: row.webhookId, eventId: row.eventId, eventName: row.eventName, caseId: row.caseId,
  sequence: row.sequence, state: 'WAITING', createdAt: row.now, attempts: 0, failures: 0, attemptLog: []})
CREATE (d)-[:TELLS]->(e)
CREATE (d)-[:GOES_TO]->(w)
CREATE (d)-[:WAITS_IN]->(l)
