// Forgets lanes that nothing waits in and nobody has, some of them. Nothing is lost that somebody puts into one at
// the same moment: the first SET locks the lane, so that what is looked at then is what all others have committed; and DELETE, without DETACH, fails
// where a link has come that was not seen. Who comes second, with a link to a lane that is gone, is told so by the database, and makes it anew when
// he tries again.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (l:DeliveryLane)
WHERE coalesce(l.holder, '') = '' AND coalesce(l.dueAt, 0) < $before AND NOT EXISTS { MATCH (l)<-[:WAITS_IN]-(d:Delivery) }
WITH l LIMIT $most
SET l.claimant = 'housekeeping'
WITH l
WHERE coalesce(l.holder, '') = '' AND coalesce(l.dueAt, 0) < $before AND NOT EXISTS { MATCH (l)<-[:WAITS_IN]-(d:Delivery) }
DELETE l
RETURN count(*) AS forgotten
