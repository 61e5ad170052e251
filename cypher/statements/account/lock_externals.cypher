// Locks external accounts until the transaction ends, so that no account takes them over meanwhile. One that was taken over while this waited
// is gone, which only a later statement sees (account/known_externals): what is set on a deleted node is lost without an error.
// $ids, $writeId
// returns: nothing
UNWIND $ids AS id
MATCH (e:Account {id: id})
SET e.writeId = $writeId
