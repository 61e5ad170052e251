// What is to be shown of devices.
// $ids
// returns: id, name, kind, blocked, known (whether its record has arrived)
UNWIND $ids AS id
MATCH (n:Device {id: id})
RETURN id, n.name AS name, n.kind AS kind, n.blocked AS blocked, n.recordedAt IS NOT NULL AS known
