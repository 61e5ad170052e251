// Locks webhooks until the transaction ends, and finds up to a thousand events of a span of time that they want to be told of and were not, because
// they were not active then, or were not there, or wanted others. Events that wait to be dealt with are none of these: that is still to come. Of two
// who send the same one comes second.
// $rows: [{id, writeId, from, to: epoch milliseconds, both included}]
// returns: id, removed, untold ([[id, name, caseId, sequence, createdAt]], the oldest first)
UNWIND $rows AS row
MATCH (w:Webhook {id: row.id})
SET w.writeId = row.writeId
WITH row, w
CALL {
  WITH row, w
  MATCH (e:Event)
  WHERE e.createdAt >= row.from AND e.createdAt <= row.to AND e.caseId IS NOT NULL AND NOT e:Pending
    AND ('*' IN w.events OR e.name IN w.events)
    AND NOT EXISTS { MATCH (e)<-[:TELLS]-(d:Delivery) WHERE d.webhookId = row.id }
  WITH e ORDER BY e.createdAt, e.id LIMIT 1000
  RETURN collect([e.id, e.name, e.caseId, e.sequence, e.createdAt]) AS untold
}
RETURN w.id AS id, w:RemovedWebhook AS removed, untold
