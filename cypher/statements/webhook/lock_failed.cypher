// Locks webhooks until the transaction ends, and finds up to a thousand deliveries to each that have failed. Of two who send the same again one comes
// second. An index on both webhook and state finds them: all that a webhook was ever told would be too much to go through.
// $rows: [{id, writeId, since: epoch milliseconds}]
// returns: id, removed, failed ([[id, caseId or null]], the oldest first)
UNWIND $rows AS row
MATCH (w:Webhook {id: row.id})
SET w.writeId = row.writeId
WITH row, w
CALL {
  WITH row
  MATCH (d:Delivery)
  WHERE d.webhookId = row.id AND d.state = 'FAILED' AND d.finishedAt >= row.since
  WITH d ORDER BY d.createdAt, d.id LIMIT 1000
  RETURN collect([d.id, d.caseId]) AS failed
}
RETURN w.id AS id, w:RemovedWebhook AS removed, failed
