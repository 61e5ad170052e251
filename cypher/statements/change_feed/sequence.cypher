// Gives sets of changes their positions, one after another behind the last one, if that is still the last: of two sequencers that have seen the same
// sets the second does nothing. The first SET locks the feed until the transaction ends.
// $rows: [{id, place: 1 for the first, 2 for the second, ...}], $position: that of the last set, $writeId
// returns: position (of the last one now): only where it was
MATCH (f:ChangeFeed {id: 'changes'})
SET f.writeId = $writeId
WITH f
WHERE f.position = $position
UNWIND $rows AS row
MATCH (c:ChangeSet {id: row.id})
SET c.position = $position + row.place
REMOVE c:Unsequenced
WITH f, $position + max(row.place) AS last
SET f.position = last
RETURN last AS position
