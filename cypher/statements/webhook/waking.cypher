// Webhooks whose lanes are to be looked at again.
// $most
// returns: id, wakingId (that of the change by which they are)
MATCH (w:WakingWebhook)
WITH w LIMIT $most
RETURN w.id AS id, coalesce(w.wakingId, '') AS wakingId
