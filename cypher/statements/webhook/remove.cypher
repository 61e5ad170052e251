// Removes webhooks, which webhook/lock has locked: their nodes stay, as deliveries point to them, and nobody is shown them any more.
// $rows: [{id, props: {status, removedAt, and null for all secrets}}]
// returns: nothing
UNWIND $rows AS row
MATCH (w:Webhook {id: row.id})
SET w:RemovedWebhook
SET w:WakingWebhook
SET w.wakingId = w.writeId
SET w += row.props
