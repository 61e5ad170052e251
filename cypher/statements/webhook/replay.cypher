// Sends deliveries again: each waits in its lane as if it were new, with all its attempts before it; what was answered to earlier ones stays. A lane that
// waits until later is due now; one that somebody has goes on.
// $rows: [{deliveries: [{id, lane, laneName, webhookId}], props: {state, attempts, and null for finishedAt}, now: epoch milliseconds}]
// returns: nothing
UNWIND $rows AS row
UNWIND row.deliveries AS again
MATCH (d:Delivery {id: again.id})
SET d += row.props
SET d.failures = 0
MERGE (l:DeliveryLane {id: again.lane})
ON CREATE SET l.name = again.laneName, l.webhookId = again.webhookId, l.holder = ''
SET l.dueAt = CASE WHEN l.dueAt IS NULL OR coalesce(l.holder, '') = '' THEN row.now ELSE l.dueAt END
MERGE (d)-[:WAITS_IN]->(l)
