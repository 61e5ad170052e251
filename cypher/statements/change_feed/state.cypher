// How far the change feed goes.
// returns: position (of the last set of changes), forgotten (of the last that is kept no more; 0 for none)
MATCH (f:ChangeFeed {id: 'changes'})
RETURN f.position AS position, f.forgotten AS forgotten
