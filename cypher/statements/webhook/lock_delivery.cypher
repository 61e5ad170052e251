// Locks deliveries until the transaction ends.
// $rows: [{id, writeId}]
// returns: id, state, webhookId, caseId (null of an event that is of no case), removed (whether the webhook was)
UNWIND $rows AS row
MATCH (d:Delivery {id: row.id})
SET d.writeId = row.writeId
WITH d
MATCH (d)-[:GOES_TO]->(w:Webhook)
RETURN d.id AS id, d.state AS state, d.webhookId AS webhookId, d.caseId AS caseId, w:RemovedWebhook AS removed
