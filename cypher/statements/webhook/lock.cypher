// Locks webhooks until the transaction ends.
// $rows: [{id, writeId}]
// returns: id, removed, name, url, events, status, createdAt, tenant, secret (sealed; null once it is removed), secretShown, disabledBecause
UNWIND $rows AS row
MATCH (w:Webhook {id: row.id})
SET w.writeId = row.writeId
RETURN w.id AS id, w:RemovedWebhook AS removed, w.name AS name, w.url AS url, w.events AS events, w.status AS status, w.createdAt AS createdAt,
  w.tenant AS tenant, w.secret AS secret, w.secretShown AS secretShown, w.disabledBecause AS disabledBecause
