// Forgets sets of changes up to a position. Who reads from before it is told so: the feed says up to where it is forgotten.
// $from, $until: positions, both included
// returns: nothing
MATCH (f:ChangeFeed {id: 'changes'})
SET f.forgotten = CASE WHEN f.forgotten < $until THEN $until ELSE f.forgotten END
WITH f
MATCH (c:ChangeSet)
WHERE c.position >= $from AND c.position <= $until
DELETE c
