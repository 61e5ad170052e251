// Forgets webhooks that were removed before a time and that no delivery points to any more, some of them.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (w:RemovedWebhook)
WHERE w.removedAt < $before AND NOT EXISTS { MATCH (w)<-[:GOES_TO]-(d:Delivery) }
WITH w LIMIT $most
DELETE w
RETURN count(*) AS forgotten
