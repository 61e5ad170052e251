// Sends an event of no case to webhooks, which webhook/lock has locked: to them alone, so that it never was Pending.
// $rows: [{id, event: {name, sequence, createdAt, data}, eventId, delivery: {name, webhookId, eventId, eventName, sequence, state, createdAt,
//   attempts, attemptLog}, deliveryId, lane, laneName}]
// returns: nothing
UNWIND $rows AS row
MATCH (w:Webhook {id: row.id})
CREATE (e:Event {id: row.eventId})
SET e += row.event
CREATE (d:Delivery {id: row.deliveryId})
SET d += row.delivery
SET d.failures = 0
CREATE (d)-[:TELLS]->(e)
CREATE (d)-[:GOES_TO]->(w)
MERGE (l:DeliveryLane {id: row.lane})
ON CREATE SET l.name = row.laneName, l.webhookId = row.id, l.holder = ''
SET l.dueAt = coalesce(l.dueAt, row.event.createdAt)
CREATE (d)-[:WAITS_IN]->(l)
