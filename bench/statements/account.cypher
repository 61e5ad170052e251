// $id
// returns: id, name
MATCH (a:Account {id: $id})
RETURN a.id AS id, a.name AS name
