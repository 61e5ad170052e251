// What is to be delivered next in lanes: of all that waits there what stands first in its case. A lane where nothing waits has a row without a delivery.
// Of the others nothing but their places is read. It is come to from the lane, without a label: planned while there was no delivery, a look for its id
// would have Neo4j go through all of them.
// $ids
// returns: id, webhook ({id, url, status, secret, formerSecret, formerSecretUntil, removedAt}), delivery ({id, failures, eventId, eventName,
//   createdAt, data} or null)
UNWIND $ids AS id
MATCH (l:DeliveryLane {id: id})
MATCH (w:Webhook {id: l.webhookId})
OPTIONAL MATCH (l)<-[:WAITS_IN]-(waiting:Delivery)
WITH l, w, waiting ORDER BY waiting.sequence, waiting.createdAt, waiting.id
WITH l, w, head(collect(waiting.id)) AS first
OPTIONAL MATCH (l)<-[:WAITS_IN]-(d)-[:TELLS]->(e)
WHERE d.id = first
RETURN l.id AS id, {id: w.id, url: w.url, status: w.status, secret: w.secret, formerSecret: w.formerSecret, formerSecretUntil: w.formerSecretUntil,
    removedAt: w.removedAt} AS webhook,
  CASE WHEN d IS NULL THEN null ELSE {id: d.id, failures: coalesce(d.failures, 0), eventId: e.id, eventName: e.name, createdAt: e.createdAt,
    data: e.data} END AS delivery
