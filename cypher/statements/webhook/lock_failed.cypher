// Locks webhooks until the transaction ends, and finds up to a thousand deliveries to each that have failed. Of two who send the same again one comes
// second.
// $rows: [{id, writeId, since: epoch milliseconds}]
// returns: id, removed, failed ([[id, caseId or null]], the oldest first)
UNWIND $rows AS row
MATCH (w:Webhook {id: row.id})
SET w.writeId = row.writeId
WITH row, w
CALL {
  WITH row, w
  MATCH (w)<-[:GOES_TO]-(d:Delivery)
  WHERE d.state = 'FAILED' AND d.finishedAt >= row.since
  WITH d ORDER BY d.createdAt, d.id LIMIT 1000
  RETURN collect([d.id, d.caseId]) AS failed
}
RETURN w.id AS id, w:RemovedWebhook AS removed, failed
