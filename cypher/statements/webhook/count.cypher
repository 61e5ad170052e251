// How many webhooks there are.
// returns: total
MATCH (w:Webhook)
WHERE NOT w:RemovedWebhook
RETURN count(w) AS total
