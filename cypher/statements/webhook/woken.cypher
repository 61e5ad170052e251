// All lanes of a webhook were looked at.
// $id
// returns: nothing
MATCH (w:Webhook {id: $id})
REMOVE w:WakingWebhook
