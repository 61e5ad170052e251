// Sends an event of no case to webhooks, which webhook/lock has locked: to them alone, so that it never was Pending. What there is none of is said to
// be null: the embedded engine refuses to look for a property that no node of the label was ever given.
// $rows: [{id, caseId (null), name, sequence, at: epoch milliseconds, data, eventId, deliveryId, deliveryName, state, finishedAt (null), attemptLog, lane, laneName}]
// returns: nothing
UNWIND $rows AS row
MATCH (w:Webhook {id: row.id})
CREATE (e:Event {id: row.eventId, name: row.name, caseId: row.caseId, sequence: row.sequence, createdAt: row.at, data: row.data})
CREATE (d:Delivery {id: row.deliveryId, name: row.deliveryName, webhookId: row.id, eventId: row.eventId, eventName: row.name, caseId: row.caseId,
  sequence: row.sequence, state: row.state, createdAt: row.at, finishedAt: row.finishedAt, attempts: 0, failures: 0,
  attemptLog: row.attemptLog})
CREATE (d)-[:TELLS]->(e)
CREATE (d)-[:GOES_TO]->(w)
MERGE (l:DeliveryLane {id: row.lane})
ON CREATE SET l.name = row.laneName, l.webhookId = row.id, l.holder = ''
SET l.dueAt = coalesce(l.dueAt, row.at)
CREATE (d)-[:WAITS_IN]->(l)
