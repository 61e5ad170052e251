// Lets go of lanes to webhooks that are not active: they are due again when the webhook is. Whoever makes it active sets all its lanes due,
// whatever they are, so that it does not matter which of the two comes first.
// $rows: [{laneId, holder}]
// returns: nothing
UNWIND $rows AS row
MATCH (l:DeliveryLane {id: row.laneId})
SET l.claimant = row.holder
WITH l, row
WHERE l.holder = row.holder
MATCH (w:Webhook {id: l.webhookId})
SET l.holder = ''
WITH l, w
WHERE w.status <> 'ACTIVE'
REMOVE l.dueAt
