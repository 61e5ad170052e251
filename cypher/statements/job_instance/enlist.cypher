// Makes sure that kinds of jobs have their nodes, which are locked to count how many of a kind are under way.
// $names
// returns: nothing
UNWIND $names AS kind
MERGE (k:JobKind {id: kind})
ON CREATE SET k.name = kind
