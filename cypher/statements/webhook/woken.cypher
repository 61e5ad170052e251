// All lanes of a webhook were looked at. One that was changed meanwhile goes on waiting: lanes that were looked at before may rest again. The first SET
// locks it until the transaction ends, so that what is read then stays true.
// $id, $now: epoch milliseconds, $writeId: that of the last change before the lanes were looked at
// returns: nothing
MATCH (w:Webhook {id: $id})
SET w.wokenAt = $now
WITH w.id AS id
MATCH (w:Webhook {id: id})
WHERE coalesce(w.writeId, '') = $writeId
REMOVE w:WakingWebhook
