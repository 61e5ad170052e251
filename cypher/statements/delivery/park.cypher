// Lets go of lanes to webhooks that are not active: they rest until somebody makes the webhook active, and them due (webhook/wake_lanes). Whoever does
// so leaves lanes alone that somebody has; that is why the webhook is locked and looked at again here: it becomes active before, which is seen, or
// after this is committed, when its lanes are free.
// $rows: [{laneId, holder, dueAt (now: when it is due if the webhook is active meanwhile)}]
// returns: nothing
UNWIND $rows AS row
MATCH (l:DeliveryLane {id: row.laneId})
SET l.claimant = row.holder
WITH l, row
WHERE l.holder = row.holder
MATCH (w:Webhook {id: l.webhookId})
SET w.claimant = row.holder
WITH l, w, row
SET l.holder = '', l.dueAt = CASE WHEN w.status = 'ACTIVE' THEN row.dueAt ELSE null END
