// Events by their ids, with all that is told of them.
// $ids
// returns: id, eventName, createdAt, data (JSON text)
UNWIND $ids AS id
MATCH (e:Event {id: id})
RETURN e.id AS id, e.name AS eventName, e.createdAt AS createdAt, e.data AS data
