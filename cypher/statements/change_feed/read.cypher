// Sets of changes between two positions, in order.
// $from, $until: positions, both included
// returns: position, createdAt, entries, events (ids, spaces between them)
MATCH (c:ChangeSet)
WHERE c.position >= $from AND c.position <= $until
WITH c.position AS position, c.createdAt AS createdAt, c.entries AS entries, c.events AS events ORDER BY position
RETURN position, createdAt, entries, events
