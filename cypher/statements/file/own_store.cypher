// What of the store of files is this graph's own: where there is no prefix yet, the one that is given becomes it.
// $prefix
// returns: prefix
MERGE (s:FileStore {id: 'files'})
ON CREATE SET s.name = 'Store of files', s.prefix = $prefix
WITH s
RETURN s.prefix AS prefix
