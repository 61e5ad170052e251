// What events are, by their ids, and how long their texts are: which of them are read whole follows from both.
// $ids
// returns: id, eventName, size
UNWIND $ids AS id
MATCH (e:Event {id: id})
RETURN e.id AS id, e.name AS eventName, size(e.data) AS size
