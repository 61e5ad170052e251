// Webhooks whose lanes are to be looked at again.
// $most
// returns: id
MATCH (w:WakingWebhook)
WITH w LIMIT $most
RETURN w.id AS id
