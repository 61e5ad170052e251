// Puts deliveries of events that are over into the lanes of their cases to one webhook, as delivery/fan_out does with new ones.
// $rows: [{id, now: epoch milliseconds, deliveries: [{id, name, eventId, caseId, sequence, lane, laneName}], sorted by lane, in each by sequence}]
// returns: nothing
UNWIND $rows AS row
UNWIND row.deliveries AS delivery
MATCH (e:Event {id: delivery.eventId})
MATCH (w:Webhook {id: row.id})
MERGE (l:DeliveryLane {id: delivery.lane})
ON CREATE SET l.name = delivery.laneName, l.webhookId = row.id, l.holder = ''
SET l.dueAt = coalesce(l.dueAt, row.now)
CREATE (d:Delivery {id: delivery.id, name: delivery.name, webhookId: row.id, eventId: delivery.eventId, eventName: delivery.name,
  caseId: delivery.caseId, sequence: delivery.sequence, state: 'WAITING', createdAt: row.now, attempts: 0, failures: 0, attemptLog: []})
CREATE (d)-[:TELLS]->(e)
CREATE (d)-[:GOES_TO]->(w)
CREATE (d)-[:WAITS_IN]->(l)
