// How deliveries to each webhook go. What waits and what has failed is found by the index on webhook and state, and bounded by a count.
// $most
// returns: id, status, failingSince, waiting (at most $most), failed (at most $most)
MATCH (w:Webhook)
WHERE NOT w:RemovedWebhook
CALL {
  WITH w
  MATCH (d:Delivery)
  WHERE d.webhookId = w.id AND d.state = 'WAITING'
  WITH d LIMIT $most
  RETURN count(*) AS waiting
}
CALL {
  WITH w
  MATCH (e:Delivery)
  WHERE e.webhookId = w.id AND e.state = 'FAILED'
  WITH e LIMIT $most
  RETURN count(*) AS failed
}
RETURN w.id AS id, w.status AS status, w.failingSince AS failingSince, waiting, failed
