// Ids of the events of sets of changes between two positions, in the order of the sets.
// $from, $until: positions, both included
// returns: position, events (ids, spaces between them)
MATCH (c:ChangeSet)
WHERE c.position >= $from AND c.position <= $until
WITH c.position AS position, c.events AS events ORDER BY position
RETURN position, events
