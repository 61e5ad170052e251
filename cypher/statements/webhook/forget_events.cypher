// Forgets events of before a time that were dealt with and of which no delivery is left, some of them.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (e:Event)
WHERE e.createdAt < $before AND NOT e:Pending AND NOT EXISTS { MATCH (e)<-[:TELLS]-(d:Delivery) }
WITH e LIMIT $most
DELETE e
RETURN count(*) AS forgotten
