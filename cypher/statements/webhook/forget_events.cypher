// Forgets events of before a time that were dealt with and of which no delivery is left, some of them. A range has two ends so that the
// embedded engine reads it out of its index.
// $before: epoch milliseconds, $most
// returns: forgotten
MATCH (e:Event)
WHERE e.createdAt >= 0 AND e.createdAt < $before AND NOT e:Pending AND NOT EXISTS { MATCH (e)<-[:TELLS]-(d:Delivery) }
WITH e LIMIT $most
DELETE e
RETURN count(*) AS forgotten
