// All lanes of a webhook were looked at. One that was made active once more meanwhile goes on waiting: lanes that were looked at before may rest again.
// The first SET locks it until the transaction ends, so that what is read then stays true.
// $id, $now: epoch milliseconds, $wakingId: as it was before the lanes were looked at
// returns: nothing
MATCH (w:Webhook {id: $id})
SET w.wokenAt = $now
WITH w.id AS id
MATCH (w:Webhook {id: id})
WITH w, coalesce(w.wakingId, '') AS wakingId
WHERE wakingId = $wakingId
REMOVE w:WakingWebhook
