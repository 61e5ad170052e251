// Webhooks whose lanes are to be looked at again.
// $most
// returns: id, writeId (that of the last change)
MATCH (w:WakingWebhook)
WITH w LIMIT $most
RETURN w.id AS id, coalesce(w.writeId, '') AS writeId
