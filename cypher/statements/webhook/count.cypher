// How many webhooks there are. Neo4j has both numbers at hand, and goes through nothing.
// returns: total
CALL {
  MATCH (w:Webhook)
  RETURN count(w) AS made
}
CALL {
  MATCH (r:RemovedWebhook)
  RETURN count(r) AS removed
}
RETURN made - removed AS total
