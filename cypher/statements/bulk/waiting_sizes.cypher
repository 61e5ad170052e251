// How large items are that wait for something that has arrived.
// $ids
// returns: id, size (characters)
UNWIND $ids AS id
MATCH (i:BulkItem {id: id})
WHERE i:DeferredItem
RETURN i.id AS id, size(i.body) AS size
