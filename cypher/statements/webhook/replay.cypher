// Sends deliveries again: each waits in its lane as if it were new, with all its attempts before it; what was answered to earlier ones stays.
// $rows: [{deliveries: [{id, lane, laneName, webhookId}], props: {state, attempts, and null for finishedAt}, now: epoch milliseconds}]
// returns: nothing
UNWIND $rows AS row
UNWIND row.deliveries AS again
MATCH (d:Delivery {id: again.id})
SET d += row.props
MERGE (l:DeliveryLane {id: again.lane})
ON CREATE SET l.name = again.laneName, l.webhookId = again.webhookId, l.holder = '', l.failures = 0
SET l.dueAt = coalesce(l.dueAt, row.now)
MERGE (d)-[:WAITS_IN]->(l)
