// What is to be delivered next in lanes: of all that waits there what stands first in its case. A lane where nothing waits has a row without a delivery.
// $ids
// returns: id, webhook ({id, url, status, secret, formerSecret, formerSecretUntil, failingSince, removedAt}), delivery ({id, failures, eventId, eventName,
//   createdAt, data} or null)
UNWIND $ids AS id
MATCH (l:DeliveryLane {id: id})
MATCH (w:Webhook {id: l.webhookId})
OPTIONAL MATCH (l)<-[:WAITS_IN]-(d:Delivery)-[:TELLS]->(e:Event)
WITH l, w, d, e ORDER BY d.sequence, d.createdAt, d.id
WITH l, w, head(collect(CASE WHEN d IS NULL THEN null ELSE {id: d.id, failures: d.failures, eventId: e.id, eventName: e.name, createdAt: e.createdAt,
  data: e.data} END)) AS delivery
RETURN l.id AS id, {id: w.id, url: w.url, status: w.status, secret: w.secret, formerSecret: w.formerSecret, formerSecretUntil: w.formerSecretUntil,
  failingSince: w.failingSince, removedAt: w.removedAt} AS webhook, delivery
